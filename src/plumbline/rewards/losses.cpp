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
  Reward::Params::visit(visitor);
  costs.visit(visitor);
}

double CostReward::loss(std::span<const double> probabilities,
                        std::span<const Label> labels) const {
  return mean_loss(probabilities, labels,
                   [&](double p, Label y) { return decision_cost(p, y, costs_); });
}

}  // namespace plumbline
