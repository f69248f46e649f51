#include "plumbline/policies/greedy.h"

#include <algorithm>

namespace plumbline {

std::size_t Greedy::choose(const Round& round) const {
  const auto rewards = round.trial_rewards;
  return static_cast<std::size_t>(std::max_element(rewards.begin(), rewards.end()) -
                                  rewards.begin());
}

}  // namespace plumbline
