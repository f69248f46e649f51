// What policies for bounded rewards share: how a reward gets into its bounds, and the memory of the
// pulls and rewards of each arm.
//
// Rewards are at most 1 and can be as low as -1e6, where the theory of many policies asks for
// [0, 1]. The rule: x is clipped to [reward_low, reward_high], and where a formula needs the unit
// interval, u = (x - reward_low)/(reward_high - reward_low). With the default of [-1, 1] an action
// that doubles the loss and one that ruins it are the same to the policy, and no reward weighs more
// than two rounds.
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

// Keeps the clipped rewards of each arm and shows their means.
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
  // Of the clipped rewards; 0, within the range, for an arm that was never played.
  double mean(std::size_t arm) const;
  // The first arm that was never played.
  std::optional<std::size_t> unplayed() const;

 private:
  RewardRange range_;
  Arms arms_;
};

}  // namespace plumbline::inline v0
