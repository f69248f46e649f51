// The base of policies for bounded rewards: clips rewards and stores the pulls and rewards of each arm.
//
// Rewards are at most 1 and can be as low as -1e6, but the theory of many policies requires [0, 1].
// A reward x is clipped to [reward_low, reward_high]; formulas for the unit interval use
// u = (x - reward_low)/(reward_high - reward_low). With the default of [-1, 1] all actions that at
// least double the loss are the same to the policy, and no reward outweighs two rounds.
#pragma once

#include <optional>

#include "plumbline/policies/arms.h"

namespace plumbline::inline v0 {

struct RewardRange {
  double low = -1;
  double high = 1;
  void visit(OptionVisitor& visitor);

  double clip(double reward) const;
  double to_unit(double clipped) const { return (clipped - low) / (high - low); }
};

// Stores the clipped rewards of each arm and reports their means.
class BoundedPolicy : public Policy {
 public:
  bool needs_rewards() const override { return true; }
  void reward(std::size_t arm, double reward) override;
  PerAction<ArmView> arms() const override;
  void archive(Archive& archive) override;

 protected:
  BoundedPolicy(const RewardRange& range, std::size_t arms);

  const RewardRange& range() const { return range_; }
  const Arms& memory() const { return arms_; }
  // The mean of the clipped rewards; 0, clipped to the range, for an arm that was never played.
  double mean(std::size_t arm) const;
  // The first arm that was never played.
  std::optional<std::size_t> unplayed() const;

 private:
  RewardRange range_;
  Arms arms_;
};

}  // namespace plumbline::inline v0
