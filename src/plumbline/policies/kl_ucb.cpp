#include "plumbline/policies/kl_ucb.h"

#include <algorithm>
#include <cmath>

namespace plumbline::inline v0 {

double bernoulli_divergence(double p, double q) {
  const double first = p == 0 ? 0 : p * std::log(p / q);
  const double second = p == 1 ? 0 : (1 - p) * std::log((1 - p) / (1 - q));
  return first + second;
}

void KlUcb::Params::visit(OptionVisitor& visitor) {
  visitor.real("c", c, Range::closed(0, 100), "weight of ln ln n in the bound");
  range.visit(visitor);
}

KlUcb::KlUcb(const Params& params, std::span<const Action> actions, std::uint64_t)
    : BoundedPolicy(params.range, actions.size()), c_(params.c) {}

double KlUcb::bound(std::size_t arm) const {
  const double log_n = std::log(std::max(1.0, memory().total_pulls()));
  // ln ln n is below 0 up to n = 2.
  const double level = (log_n + c_ * std::log(std::max(1.0, log_n))) / memory().pulls(arm);
  const double m = range().to_unit(mean(arm));
  double low = m, high = 1;
  // Each step halves an interval of length at most 1; these steps reach the last bits.
  for (int step = 0; step < 52; ++step) {
    const double middle = low + (high - low) / 2;
    // At q = 1 the divergence is infinite, unless m is also 1; then low equals high already.
    (middle < 1 && bernoulli_divergence(m, middle) <= level ? low : high) = middle;
  }
  return low;
}

std::size_t KlUcb::choose(const Round&) const {
  if (const auto arm = unplayed()) return *arm;
  return first_best(memory().size(), [&](std::size_t a) { return bound(a); });
}

}  // namespace plumbline::inline v0
