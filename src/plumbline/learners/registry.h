// The table of weak learners; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/data/schema.h"
#include "plumbline/learners/learner.h"

namespace plumbline {

// Learners are made for their features.
using LearnerRegistry = Registry<Learner, FeatureSpace>;
const LearnerRegistry& learners();

}  // namespace plumbline
