// The members of the reward family: relative decrease of the log-loss, of the Brier score, and of
// the cost of the decisions that the probabilities imply.
#pragma once

#include "plumbline/core/loss.h"
#include "plumbline/rewards/reward.h"

namespace plumbline {

// The reward of the paper.
class LogLossReward : public Reward {
 public:
  using Reward::Reward;
  double loss(std::span<const double> probabilities, std::span<const Label> labels) const override;
};

class BrierReward : public Reward {
 public:
  using Reward::Reward;
  double loss(std::span<const double> probabilities, std::span<const Label> labels) const override;
};

// Cost-sensitive risk: positive is decided where p * false_negative > (1 - p) * false_positive.
class CostReward : public Reward {
 public:
  struct Params : Reward::Params {
    Costs costs{};
    void visit(OptionVisitor& visitor);
  };
  explicit CostReward(const Params& params) : Reward(params), costs_(params.costs) {}
  double loss(std::span<const double> probabilities, std::span<const Label> labels) const override;

 private:
  Costs costs_;
};

}  // namespace plumbline
