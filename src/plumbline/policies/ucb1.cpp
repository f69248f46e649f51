#include "plumbline/policies/ucb1.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::inline v0 {

Ucb1::Ucb1(const Params& params, std::span<const Action> actions, std::uint64_t)
    : padding_(params.padding), arms_(actions.size(), params.discount) {}

std::size_t Ucb1::choose(const Round&) const {
  // The bound needs ln n >= 0. The arm played last has at least one pull, except in a manipulated file.
  const double log_n = std::log(std::max(1.0, arms_.total_pulls()));
  return first_best(arms_.size(), [&](std::size_t a) {
    if (arms_.pulls(a) == 0) return std::numeric_limits<double>::infinity();
    return arms_.estimate(a) + std::sqrt(padding_ * log_n / arms_.pulls(a));
  });
}

PerAction<ArmView> Ucb1::arms() const {
  PerAction<ArmView> views;
  for (std::size_t a = 0; a < arms_.size(); ++a)
    views.push_back({arms_.pulls(a), arms_.estimate(a)});
  return views;
}

}  // namespace plumbline::inline v0
