// Contextual upper confidence bounds with one linear model per arm (Li, Chu, Langford & Schapire,
// "A contextual-bandit approach to personalized news article recommendation", WWW 2010, Algorithm
// 1, "disjoint"): with x = (1, context), play the arm with the largest
//   x'A^-1 b + alpha sqrt(x'A^-1 x),  A = ridge I + sum x x',  b = sum reward x,
// with sums over the rounds in which the arm was played. Differences: the ridge is an option; rewards
// are clipped (see bounded.h) but not rescaled, so that the expected reward of a new arm is 0; and with
// `forgetting` below 1 the sums of all arms are discounted on every round, as in D-LinUCB (Russac,
// Vernade & Cappé 2019), so that an arm that was not played for long is tried again. Ties go to the
// earlier action. Memory: 20 numbers per arm. Cost per round: O(arms), about 50 multiplications each,
// by Cholesky factors.
#pragma once

#include "plumbline/policies/bounded.h"

namespace plumbline::inline v0 {

class LinUcb : public Policy {
 public:
  static constexpr std::size_t kSize = kContextSize + 1;

  struct Params {
    double alpha = 0.5;
    double ridge = 1;
    double forgetting = 1;
    RewardRange range{};
    void visit(OptionVisitor& visitor);
  };

  // The expected reward of an arm, and alpha times its uncertainty.
  struct Estimate {
    double mean;
    double padding;
  };

  LinUcb(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  Estimate estimate(std::size_t arm, const Context& context) const;
  std::size_t choose(const Round& round) const override;
  bool needs_rewards() const override { return true; }
  bool needs_context() const override { return true; }
  void reward(std::size_t arm, double reward) override { reward_in({}, arm, reward); }
  void reward_in(const Context& context, std::size_t arm, double reward) override;
  // The pulls and the mean reward over all contexts.
  PerAction<ArmView> arms() const override;
  void archive(Archive& archive) override;

 private:
  static constexpr std::size_t kTriangle = kSize * (kSize + 1) / 2;

  std::span<const double> gram(std::size_t arm) const {
    return std::span(gram_).subspan(arm * kTriangle, kTriangle);
  }
  void discount();

  Params params_;
  std::size_t count_;
  // Per arm: the lower triangle of A, row-major, and b.
  std::vector<double> gram_;
  std::vector<double> moments_;
};

}  // namespace plumbline::inline v0
