// The table of weak learners; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/learners/learner.h"

namespace plumbline {

// Learners are made for a number of features.
using LearnerRegistry = Registry<Learner, std::size_t>;
const LearnerRegistry& learners();

}  // namespace plumbline
