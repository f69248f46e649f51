#include "plumbline/policies/reward_registry.h"

#include "plumbline/policies/reward_losses.h"

namespace plumbline::inline v0 {

const RewardRegistry& rewards() {
  using R = RewardRegistry;
  static const R registry(
      "reward", {R::row<LogLossReward>("log_loss", "relative decrease of the log-loss"),
                 R::row<BrierReward>("brier", "relative decrease of the Brier score"),
                 R::row<CostReward>("cost", "relative decrease of the cost of the decisions")});
  return registry;
}

}  // namespace plumbline::inline v0
