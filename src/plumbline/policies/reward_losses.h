// The members of the reward family: relative decrease of the log-loss, of the Brier score, and of
// the cost of the decisions that the probabilities imply.
#pragma once

#include "plumbline/policies/reward.h"

namespace plumbline::inline v0 {

// The reward of the paper.
class LogLossReward : public Reward {
 public:
  using Reward::Reward;
  double loss(std::span<const double> probabilities, std::span<const Label> labels,
              std::span<const Costs> costs) const override;
};

class BrierReward : public Reward {
 public:
  using Reward::Reward;
  double loss(std::span<const double> probabilities, std::span<const Label> labels,
              std::span<const Costs> costs) const override;
};

// Cost-sensitive risk: the mean cost of decisions (plumbline/decisions.h), by the costs of each example if the stream
// has them, otherwise by those of the options.
class CostReward : public Reward {
 public:
  struct Params : Reward::Params {
    Costs costs{};
    void visit(OptionVisitor& visitor);
  };
  explicit CostReward(const Params& params) : Reward(params), costs_(params.costs) {}
  double loss(std::span<const double> probabilities, std::span<const Label> labels,
              std::span<const Costs> costs) const override;

 private:
  Costs costs_;
};

}  // namespace plumbline::inline v0
