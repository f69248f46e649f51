// Exponential weights for adversarial rewards (Auer, Cesa-Bianchi, Freund & Schapire, "The
// nonstochastic multiarmed bandit problem", SIAM J. Comput. 32, 2002). Arm a of K has the probability
//   p_a = (1 - gamma) w_a / sum(w) + gamma/K,
// and the played arm's weight grows by exp(gamma u / (p_a K)), where u is its reward in [0, 1]
// (bounded.h). `exp3s` then adds e share/K sum(w) to every weight, so that any arm can recover when it
// becomes the best.
// No assumptions on the rewards are needed: the expected regret of exp3 against the best arm in
// hindsight is at most (e - 1) gamma G + K ln(K)/gamma, where G is that arm's total. Difference: weights
// are stored as logarithms, shifted so that the largest is 0, which changes no p_a. One uniform draw per
// round selects the arm, in the order of the list. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/bounded.h"

namespace plumbline::inline v0 {

class Exp3 : public BoundedPolicy {
 public:
  struct Params {
    double gamma = 0.1;
    double share = 0;  // if the registry row sets 0, the policy is exp3 and has no such option
    RewardRange range{};
    void visit(OptionVisitor& visitor);
  };

  Exp3(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  // p_a of each arm.
  std::vector<double> probabilities() const;
  std::size_t choose(const Round& round) const override;
  void reward(std::size_t arm, double reward) override;
  void archive(Archive& archive) override;

 private:
  double total_weight() const;
  double probability(std::size_t arm, double total) const;
  void share_weights(double total);

  double gamma_;
  double share_;
  std::uint64_t seed_;
  std::vector<double> log_weights_;  // the largest is 0
};

}  // namespace plumbline::inline v0
