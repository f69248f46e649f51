// Epsilon-greedy (Sutton & Barto, "Reinforcement learning", section 2.2): with probability
// epsilon_n a uniformly random arm, otherwise the arm with the largest mean reward (clipped, see
// bounded.h), where
//   epsilon_n = min(1, epsilon / n^decay),  n = 1, 2, … counts the rounds in which the policy chooses.
// decay = 0 explores forever, but follows a change of the best arm only as fast as means of the whole
// past do. decay = 1 with epsilon = cK/d^2 is the schedule of Auer et al. (2002, Theorem 3), whose
// regret grows like ln n if d is at most the gap between the best arm and the next. Each arm is
// played once first, in the order of the list; ties go to the earlier arm. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/bounded.h"

namespace plumbline::inline v0 {

class EpsilonGreedy : public BoundedPolicy {
 public:
  struct Params {
    double epsilon = 0.1;
    double decay = 0;
    RewardRange range{};
    void visit(OptionVisitor& visitor);
  };

  EpsilonGreedy(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  // epsilon_n of this round. Rounds count from 1, and the policy chooses from round 2 on.
  double epsilon(const Round& round) const;
  std::size_t choose(const Round& round) const override;

 private:
  double epsilon_;
  double decay_;
  std::uint64_t seed_;
};

}  // namespace plumbline::inline v0
