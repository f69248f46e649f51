// KL-UCB for bounded rewards (Garivier & Cappé, "The KL-UCB algorithm for bounded stochastic
// bandits and beyond", COLT 2011): play the arm with the largest
//   max { q in [m_a, 1] : k_a kl(m_a, q) <= ln n + c ln ln n },
// where kl is the divergence of Bernoulli distributions, m_a the mean of the rewards in [0, 1] (see
// bounded.h), k_a the pulls of arm a, and n all pulls. The authors use c = 0 in practice and c = 3 in
// the proof. The bound is never wider than that of ucb1_improved, and much narrower if m_a is near 0
// or 1. Each arm is played once first, in the order of the list; ties go to the earlier arm. The bound
// is found by bisection. Cost per round: O(arms), about 50 logarithms each.
#pragma once

#include "plumbline/policies/bounded.h"

namespace plumbline::inline v0 {

// p ln(p/q) + (1 - p) ln((1 - p)/(1 - q)); 0 ln 0 is 0.
double bernoulli_divergence(double p, double q);

class KlUcb : public BoundedPolicy {
 public:
  struct Params {
    double c = 0;
    RewardRange range{};
    void visit(OptionVisitor& visitor);
  };

  KlUcb(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  // The bound of an arm that was played, in [0, 1].
  double bound(std::size_t arm) const;
  std::size_t choose(const Round& round) const override;

 private:
  double c_;
};

}  // namespace plumbline::inline v0
