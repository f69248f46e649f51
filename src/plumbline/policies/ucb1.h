// Upper confidence bounds (Auer et al. 2002): play the arm with the largest
//
//   mean_a + sqrt(2 ln n / k_a)     `ucb1`
//   mean_a + sqrt(ln n / (2 k_a))   `ucb1_improved` (Garivier & Cappé 2011, Proposition 4)
//
// where k_a counts the pulls of arm a and n all pulls. Each arm is played once first, in the order
// of the list; ties go to the earlier arm. The discounted forms multiply rewards and pulls by gamma
// (see arms.h), and n is the sum of the discounted pulls. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/arms.h"

namespace plumbline::inline v0 {

class Ucb1 : public Policy {
 public:
  struct Params {
    double padding = 2;  // 2 or 1/2: set by the registry row
    Discount discount{};
    void visit(OptionVisitor& visitor) {
      discount.visit(visitor);
      discount.visit_estimate(visitor);
    }
  };

  Ucb1(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  std::size_t choose(const Round& round) const override;
  bool needs_rewards() const override { return true; }
  void reward(std::size_t arm, double reward) override { arms_.reward(arm, reward); }
  PerAction<ArmView> arms() const override;
  void archive(Archive& archive) override { arms_.archive(archive); }

 private:
  double padding_;
  Arms arms_;
};

}  // namespace plumbline::inline v0
