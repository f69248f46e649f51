#include "plumbline/rewards/losses.h"

namespace plumbline {

double LogLossReward::loss(std::span<const double> probabilities,
                           std::span<const Label> labels) const {
  return mean_loss(probabilities, labels, log_loss);
}

double BrierReward::loss(std::span<const double> probabilities,
                         std::span<const Label> labels) const {
  return mean_loss(probabilities, labels, brier);
}

void CostReward::Params::visit(OptionVisitor& visitor) {
  visit_on(visitor, on);
  const Range range{.low = 0, .high = 1e12, .low_open = true};
  visitor.real("false_positive", costs.false_positive, range, "cost of a false alarm");
  visitor.real("false_negative", costs.false_negative, range, "cost of a miss");
}

double CostReward::loss(std::span<const double> probabilities,
                        std::span<const Label> labels) const {
  return mean_loss(probabilities, labels,
                   [&](double p, Label y) { return decision_cost(p, y, costs_); });
}

}  // namespace plumbline
