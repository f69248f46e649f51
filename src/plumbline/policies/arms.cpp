#include "plumbline/policies/arms.h"

#include <numeric>

namespace plumbline::inline v0 {

namespace {

// A bound of sums of rewards: each is at least -1e6.
constexpr double kMaxReward = 1e6 * 0x1p62;

}  // namespace

void Discount::visit(OptionVisitor& visitor) {
  if (gamma == 1) return;
  visitor.real("gamma", gamma, Range{.low = 0, .high = 1, .low_open = true, .high_open = true},
               "discount factor of past rewards at each update");
  visitor.choice("discount", of, {{"played", DiscountOf::played}, {"all", DiscountOf::all}},
                 "arms whose past is discounted at an update: the played one or all");
  visitor.flag("discount_counts", counts, "discount the numbers of pulls like the rewards");
}

void Discount::visit_estimate(OptionVisitor& visitor) {
  if (gamma == 1) return;
  visitor.choice("estimate", estimate, {{"mean", Estimate::mean}, {"sum", Estimate::sum}},
                 "estimate that the bound uses: the mean of the discounted rewards, or their sum");
}

Arms::Arms(std::size_t count, const Discount& discount)
    : discount_(discount), pulls_(count), rewards_(count) {}

void Arms::reward(std::size_t arm, double reward) {
  for (std::size_t a = 0; a < size(); ++a) {
    if (discount_.of == DiscountOf::played && a != arm) continue;
    rewards_[a] *= discount_.gamma;
    if (discount_.counts) pulls_[a] *= discount_.gamma;
  }
  rewards_[arm] += reward;
  pulls_[arm] += 1;
}

double Arms::estimate(std::size_t arm) const {
  if (discount_.estimate == Estimate::sum) return rewards_[arm];
  return pulls_[arm] == 0 ? 0 : rewards_[arm] / pulls_[arm];
}

double Arms::total_pulls() const { return std::accumulate(pulls_.begin(), pulls_.end(), 0.0); }

void Arms::archive(Archive& archive) {
  archive.values("pulls", pulls_);
  archive.values("rewards", rewards_);
  archive.require_within("pulls", pulls_, 0, 0x1p62);
  archive.require_within("rewards", rewards_, -kMaxReward, kMaxReward);
}

}  // namespace plumbline::inline v0
