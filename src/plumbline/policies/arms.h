// The memory of a bandit: for each arm the number of pulls and the sum of the rewards, with the
// paper's discounting, R <- gamma R + r "on each update" (section 5).
//
// The paper leaves open whose past fades: that of the arm that was played (`played`) or that of
// all arms (`all`); and whether the pulls fade with the rewards (`discount_counts`). gamma = 1
// discounts nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/core/archive.h"
#include "plumbline/core/options.h"
#include "plumbline/policies/policy.h"

namespace plumbline {

enum class DiscountOf { played, all };

struct Discount {
  double gamma = 1;
  DiscountOf of = DiscountOf::played;
  bool counts = true;

  // gamma = 1 by the registry row means that the policy does not discount: it has no such options.
  void visit(OptionVisitor& visitor);
};

class Arms {
 public:
  Arms(std::size_t count, const Discount& discount);

  void reward(std::size_t arm, double reward);

  std::size_t size() const { return pulls_.size(); }
  double pulls(std::size_t arm) const { return pulls_[arm]; }
  double rewards(std::size_t arm) const { return rewards_[arm]; }
  double total_pulls() const;
  void archive(Archive& archive);

 private:
  Discount discount_;
  std::vector<double> pulls_;
  std::vector<double> rewards_;
};

// The first arm with the largest value: ties go to the earlier action.
std::size_t first_best(std::span<const double> values);

}  // namespace plumbline
