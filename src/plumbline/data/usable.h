// Values that a model accepts.
#pragma once

#include <cmath>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// False for NaN, infinities and magnitudes beyond kMaxMagnitude.
inline bool is_usable(double value) { return std::abs(value) <= kMaxMagnitude; }

}  // namespace plumbline::inline v0
