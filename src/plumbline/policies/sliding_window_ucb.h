// Upper confidence bounds over the latest plays (Garivier & Moulines, "On upper-confidence bound
// policies for switching bandit problems", ALT 2011): play the arm with the largest
//   m_a + sqrt(xi ln(min(n, window)) / k_a),
// where m_a is the mean of the rewards in [0, 1] (see bounded.h) and k_a the number of pulls of arm a
// among the last `window` plays, and n counts all plays. Older plays are ignored, so that a change of
// the best arm is followed within one window. An arm without plays in the window is played first, in
// the order of the list; ties go to the earlier arm. In theory xi is above 1/2.
// Memory: 16 bytes per play of the window. Sums are recomputed on each round, so that rounding errors
// do not accumulate. Cost per round: O(window) per arm.
#pragma once

#include "plumbline/policies/bounded.h"

namespace plumbline::inline v0 {

class SlidingWindowUcb : public Policy {
 public:
  struct Params {
    std::int64_t window = 200;
    double xi = 0.6;
    RewardRange range{};
    void visit(OptionVisitor& visitor);
  };

  SlidingWindowUcb(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  std::size_t choose(const Round& round) const override;
  bool needs_rewards() const override { return true; }
  void reward(std::size_t arm, double reward) override;
  // Over the plays in the window.
  PerAction<ArmView> arms() const override;
  void archive(Archive& archive) override;

 private:
  std::size_t filled() const;
  // The pulls and the mean reward of an arm in the window.
  ArmView in_window(std::size_t arm) const;

  double xi_;
  RewardRange range_;
  std::size_t count_;
  std::uint64_t plays_ = 0;
  // Play n is at index (n - 1) mod window.
  std::vector<std::uint64_t> arm_;
  std::vector<double> reward_;  // clipped
};

}  // namespace plumbline::inline v0
