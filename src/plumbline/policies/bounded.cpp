#include "plumbline/policies/bounded.h"

#include <algorithm>

namespace plumbline::inline v0 {

void RewardRange::visit(OptionVisitor& visitor) {
  visitor.real("reward_low", low, Range::closed(-1e6, 0),
               "lower bound to which rewards are clipped");
  visitor.real("reward_high", high, Range{.low = 0, .high = 1, .low_open = true},
               "upper bound to which rewards are clipped");
}

double RewardRange::clip(double reward) const { return std::clamp(reward, low, high); }

BoundedPolicy::BoundedPolicy(const RewardRange& range, std::size_t arms)
    : range_(range), arms_(arms, Discount{}) {}

void BoundedPolicy::reward(std::size_t arm, double reward) {
  arms_.reward(arm, range_.clip(reward));
}

double BoundedPolicy::mean(std::size_t arm) const {
  if (arms_.pulls(arm) == 0) return 0;
  // Rounding of the sum, or a manipulated file, must not exceed the range.
  return range_.clip(arms_.rewards(arm) / arms_.pulls(arm));
}

std::optional<std::size_t> BoundedPolicy::unplayed() const {
  for (std::size_t a = 0; a < arms_.size(); ++a) {
    if (arms_.pulls(a) == 0) return a;
  }
  return std::nullopt;
}

PerAction<ArmView> BoundedPolicy::arms() const {
  PerAction<ArmView> views;
  for (std::size_t a = 0; a < arms_.size(); ++a) views.push_back({arms_.pulls(a), mean(a)});
  return views;
}

void BoundedPolicy::archive(Archive& archive) { arms_.archive(archive); }

}  // namespace plumbline::inline v0
