#include "plumbline/decisions.h"

#include "plumbline/options.h"

namespace plumbline::inline v0 {
namespace {

std::optional<double> ratio(double part, double rest) {
  if (part + rest <= 0) return std::nullopt;
  return part / (part + rest);
}

}  // namespace

void Costs::visit(OptionVisitor& visitor) {
  const Range range{.low = 0, .high = kMaxCost, .low_open = true};
  visitor.real("false_positive", false_positive, range, "cost of a false alarm");
  visitor.real("false_negative", false_negative, range, "cost of a miss");
}

bool decide(double probability, const Costs& costs) {
  return probability * costs.false_negative > (1 - probability) * costs.false_positive;
}

double cost_of(bool decision, Label label, const Costs& costs) {
  if (decision == static_cast<bool>(label)) return 0;
  return decision ? costs.false_positive : costs.false_negative;
}

double decision_cost(double probability, Label label, const Costs& costs) {
  return cost_of(decide(probability, costs), label, costs);
}

void Confusion::add(bool decision, Label label, double weight) {
  if (label != 0) {
    (decision ? true_positives : false_negatives) += weight;
  } else {
    (decision ? false_positives : true_negatives) += weight;
  }
}

double Confusion::total() const {
  return true_positives + false_positives + true_negatives + false_negatives;
}

std::optional<double> Confusion::recall() const { return ratio(true_positives, false_negatives); }

std::optional<double> Confusion::precision() const {
  return ratio(true_positives, false_positives);
}

std::optional<double> Confusion::f1() const {
  return ratio(2 * true_positives, false_positives + false_negatives);
}

std::optional<double> Confusion::balanced_accuracy() const {
  const auto sensitivity = recall(), specificity = ratio(true_negatives, false_positives);
  if (!sensitivity || !specificity) return std::nullopt;
  return (*sensitivity + *specificity) / 2;
}

}  // namespace plumbline::inline v0
