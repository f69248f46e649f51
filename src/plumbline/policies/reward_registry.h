// The table of rewards; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/policies/reward.h"
#include "plumbline/policy.h"  // RewardRegistry
