#include "plumbline/policies/greedy.h"

#include "plumbline/policies/arms.h"

namespace plumbline {

std::size_t Greedy::choose(const Round& round) const { return first_best(round.trial_rewards); }

}  // namespace plumbline
