// The table of policies; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/policies/policy.h"

namespace plumbline {

// Policies are made for a list of actions and a seed.
using PolicyRegistry = Registry<Policy, NoTraits, std::span<const Action>, std::uint64_t>;
const PolicyRegistry& policies();

}  // namespace plumbline
