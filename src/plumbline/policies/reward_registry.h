// The table of rewards; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/policies/reward.h"

namespace plumbline {

using RewardRegistry = Registry<Reward, NoTraits>;
const RewardRegistry& rewards();

}  // namespace plumbline
