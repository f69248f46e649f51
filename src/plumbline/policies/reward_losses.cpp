#include "plumbline/policies/reward_losses.h"

#include "plumbline/decisions.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {

double LogLossReward::loss(std::span<const double> probabilities, std::span<const Label> labels,
                           std::span<const Costs> /*costs*/) const {
  return mean_loss(probabilities, labels, log_loss);
}

double BrierReward::loss(std::span<const double> probabilities, std::span<const Label> labels,
                         std::span<const Costs> /*costs*/) const {
  return mean_loss(probabilities, labels, brier);
}

void CostReward::Params::visit(OptionVisitor& visitor) {
  Reward::Params::visit(visitor);
  costs.visit(visitor);
}

double CostReward::loss(std::span<const double> probabilities, std::span<const Label> labels,
                        std::span<const Costs> costs) const {
  if (labels.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sum += decision_cost(probabilities[i], labels[i], costs.empty() ? costs_ : costs[i]);
  }
  return sum / static_cast<double>(labels.size());
}

}  // namespace plumbline::inline v0
