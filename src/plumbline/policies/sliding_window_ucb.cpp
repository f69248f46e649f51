#include "plumbline/policies/sliding_window_ucb.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::inline v0 {
namespace {

// More plays than any stream has, and far from overflow.
constexpr std::uint64_t kMaxPlays = std::uint64_t{1} << 62;

}  // namespace

void SlidingWindowUcb::Params::visit(OptionVisitor& visitor) {
  visitor.integer("window", window, Range::closed(1, 100000), "number of latest plays used");
  visitor.real("xi", xi, Range::closed(0, 100), "width of the bounds");
  range.visit(visitor);
}

SlidingWindowUcb::SlidingWindowUcb(const Params& params, std::span<const Action> actions,
                                   std::uint64_t)
    : xi_(params.xi),
      range_(params.range),
      count_(actions.size()),
      arm_(static_cast<std::size_t>(params.window)),
      reward_(arm_.size()) {}

std::size_t SlidingWindowUcb::filled() const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(plays_, arm_.size()));
}

ArmView SlidingWindowUcb::in_window(std::size_t arm) const {
  double pulls = 0, rewards = 0;
  for (std::size_t i = 0; i < filled(); ++i) {
    if (arm_[i] != arm) continue;
    pulls += 1;
    rewards += reward_[i];
  }
  return {pulls, pulls == 0 ? 0 : rewards / pulls};
}

PerAction<ArmView> SlidingWindowUcb::arms() const {
  PerAction<ArmView> views;
  for (std::size_t a = 0; a < count_; ++a) views.push_back(in_window(a));
  return views;
}

std::size_t SlidingWindowUcb::choose(const Round&) const {
  const double log_n = std::log(std::max(1.0, static_cast<double>(filled())));
  return first_best(count_, [&](std::size_t a) {
    const ArmView arm = in_window(a);
    if (arm.pulls == 0) return std::numeric_limits<double>::infinity();
    return range_.to_unit(arm.mean) + std::sqrt(xi_ * log_n / arm.pulls);
  });
}

void SlidingWindowUcb::reward(std::size_t arm, double reward) {
  const std::size_t index = plays_ % arm_.size();
  arm_[index] = arm;
  reward_[index] = range_.clip(reward);
  ++plays_;
}

void SlidingWindowUcb::archive(Archive& archive) {
  archive.value("plays", plays_);
  archive.values("arm", arm_);
  archive.values("reward", reward_);
  archive.require_within("reward", reward_, range_.low, range_.high);
  if (!archive.loading()) return;
  if (plays_ > kMaxPlays) archive.refuse("plays", "is too large");
  for (const std::uint64_t arm : arm_) {
    if (arm >= count_) archive.refuse("arm", "is not an action");
  }
}

}  // namespace plumbline::inline v0
