// The memory of a bandit: for each arm the number of pulls and the sum of the rewards, with the
// paper's discounting, R <- gamma R + r "on each update" (section 5).
//
// The paper leaves open whose past fades: that of the arm that was played (`played`) or that of
// all arms (`all`); whether the pulls fade with the rewards (`discount_counts`); and whether bounds
// stand on the mean of the rewards or on R itself (`estimate`). gamma = 1 discounts nothing.
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
  Estimate estimate = Estimate::mean;  // of upper confidence bounds; Thompson has its posterior

  // gamma = 1 by the registry row means that the policy does not discount: it has no such options.
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
  // What an upper confidence bound stands on; 0 before the first pull.
  double estimate(std::size_t arm) const;
  void archive(Archive& archive);

 private:
  Discount discount_;
  std::vector<double> pulls_;
  std::vector<double> rewards_;
};

// The first arm with the largest `value(arm)`, asked in order: ties go to the earlier action.
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
