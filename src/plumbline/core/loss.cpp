#include "plumbline/core/loss.h"

#include <algorithm>
#include <cmath>

namespace plumbline {

double log_loss(double probability, Label label) {
  const double p = std::clamp(probability, kLogLossClip, 1 - kLogLossClip);
  return -std::log(label ? p : 1 - p);
}

double brier(double probability, Label label) {
  const double error = static_cast<double>(label) - probability;
  return error * error;
}

void Costs::visit(OptionVisitor& visitor) {
  const Range range{.low = 0, .high = 1e12, .low_open = true};
  visitor.real("false_positive", false_positive, range, "cost of a false alarm");
  visitor.real("false_negative", false_negative, range, "cost of a miss");
}

bool decide(double probability, const Costs& costs) {
  return probability * costs.false_negative > (1 - probability) * costs.false_positive;
}

double decision_cost(double probability, Label label, const Costs& costs) {
  const bool positive = decide(probability, costs);
  if (positive == static_cast<bool>(label)) return 0;
  return positive ? costs.false_positive : costs.false_negative;
}

double sigmoid(double z) {
  if (z >= 0) return 1 / (1 + std::exp(-z));
  const double e = std::exp(z);
  return e / (1 + e);
}

double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

}  // namespace plumbline
