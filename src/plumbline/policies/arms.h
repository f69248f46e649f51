// The memory of a bandit: for each arm the number of pulls and the sum of the rewards, with the
// paper's discounting, R <- gamma R + r "on each update" (section 5).
//
// The paper leaves open which past is discounted: that of the played arm (`played`) or of all arms
// (`all`); whether pulls are discounted like rewards (`discount_counts`); and whether bounds use the
// mean of the rewards or R itself (`estimate`). gamma = 1 discounts nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/options.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

enum class DiscountOf { played, all };
enum class Estimate { mean, sum };

struct Discount {
  double gamma = 1;
  DiscountOf of = DiscountOf::played;
  bool counts = true;
  Estimate estimate = Estimate::mean;  // used by upper confidence bounds, not by Thompson sampling

  // If the registry row sets gamma = 1, the policy does not discount and has none of these options.
  void visit(OptionVisitor& visitor);
  void visit_estimate(OptionVisitor& visitor);
};

class Arms {
 public:
  Arms(std::size_t count, const Discount& discount);

  void reward(std::size_t arm, double reward);

  std::size_t size() const { return pulls_.size(); }
  double pulls(std::size_t arm) const { return pulls_[arm]; }
  double rewards(std::size_t arm) const { return rewards_[arm]; }
  double total_pulls() const;
  // The estimate that upper confidence bounds use; 0 before the first pull.
  double estimate(std::size_t arm) const;
  void archive(Archive& archive);

 private:
  Discount discount_;
  std::vector<double> pulls_;
  std::vector<double> rewards_;
};

// The first arm with the largest `value(arm)`, evaluated in order: ties go to the earlier action.
template <class Value>
std::size_t first_best(std::size_t arms, const Value& value) {
  std::size_t best = 0;
  double most = value(0);
  for (std::size_t a = 1; a < arms; ++a) {
    const double other = value(a);
    if (!(most < other)) continue;
    most = other;
    best = a;
  }
  return best;
}

}  // namespace plumbline::inline v0
