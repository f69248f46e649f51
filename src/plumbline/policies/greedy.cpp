#include "plumbline/policies/greedy.h"

#include "plumbline/policies/arms.h"

namespace plumbline::inline v0 {

std::size_t Greedy::choose(const Round& round) const {
  const std::span<const double> earned = round.trial_rewards;
  return first_best(earned.size(), [&](std::size_t a) { return earned[a]; });
}

}  // namespace plumbline::inline v0
