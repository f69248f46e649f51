// The table of rewards; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/policies/reward.h"
#include "plumbline/registry.h"

namespace plumbline::inline v0 {

using RewardRegistry = Registry<Reward, NoTraits>;
const RewardRegistry& rewards();

}  // namespace plumbline::inline v0
