#include "plumbline/policies/epsilon_greedy.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {

void EpsilonGreedy::Params::visit(OptionVisitor& visitor) {
  visitor.real("epsilon", epsilon, Range::closed(0, 1e6),
               "probability of exploring on the first round; values above 1 stand for 1");
  visitor.real("decay", decay, Range::closed(0, 1),
               "power of the round by which epsilon is divided; 0 keeps it constant");
  range.visit(visitor);
}

EpsilonGreedy::EpsilonGreedy(const Params& params, std::span<const Action> actions,
                             std::uint64_t seed)
    : BoundedPolicy(params.range, actions.size()),
      epsilon_(params.epsilon),
      decay_(params.decay),
      seed_(seed) {}

double EpsilonGreedy::epsilon(const Round& round) const {
  const double n = std::max(1.0, static_cast<double>(round.number) - 1);
  return std::min(1.0, epsilon_ / std::pow(n, decay_));
}

std::size_t EpsilonGreedy::choose(const Round& round) const {
  if (const auto arm = unplayed()) return *arm;
  Rng rng(seed_, kPolicyStream, round.number);
  if (rng.uniform() < epsilon(round)) return rng.below(memory().size());
  return first_best(memory().size(), [&](std::size_t a) { return mean(a); });
}

}  // namespace plumbline::inline v0
