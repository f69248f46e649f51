// The table of rewards; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/core/registry.h"
#include "plumbline/rewards/reward.h"

namespace plumbline {

using RewardRegistry = Registry<Reward>;
const RewardRegistry& rewards();

}  // namespace plumbline
