// Numbers that scores cannot have (plumbline/score_input.h).
#pragma once

#include "plumbline/score_input.h"

namespace plumbline::inline v0 {

// "is not a number" and the like; null if the number is allowed.
const char* score_fault(double value, ScoreInput input);

}  // namespace plumbline::inline v0
