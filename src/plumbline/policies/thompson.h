// Gaussian Thompson sampling with known variance (the paper's Algorithm "normts").
//
// The mean reward of each arm has the prior N(0, 1), rewards have variance sigma^2 = 1. After k
// pulls with rewards that sum to R the posterior is N(R/(sigma^2 + k), sigma^2/(sigma^2 + k)),
// which is the closed form of the paper's recursion. Each round draws from every posterior and
// plays the arm with the largest draw. The discounted form multiplies R and k by gamma (see arms.h), so
// the variance stays above 0 and exploration continues. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/arms.h"

namespace plumbline::inline v0 {

class Thompson : public Policy {
 public:
  struct Params {
    double sigma = 1;
    Discount discount{};
    void visit(OptionVisitor& visitor);
  };

  struct Posterior {
    double mean;
    double variance;
  };

  Thompson(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  Posterior posterior(std::size_t arm) const;
  std::size_t choose(const Round& round) const override;
  bool needs_rewards() const override { return true; }
  void reward(std::size_t arm, double reward) override { arms_.reward(arm, reward); }
  PerAction<ArmView> arms() const override;
  void archive(Archive& archive) override { arms_.archive(archive); }

 protected:
  std::size_t size() const { return arms_.size(); }

 private:
  double noise_;  // sigma^2
  std::uint64_t seed_;
  Arms arms_;
};

}  // namespace plumbline::inline v0
