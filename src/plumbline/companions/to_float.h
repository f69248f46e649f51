// Values of features as floats.
#pragma once

#include <algorithm>
#include <limits>

namespace plumbline::inline v0 {

// Rounds to the nearest float, or to the largest one.
inline float to_float(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kLargest, kLargest));
}

}  // namespace plumbline::inline v0
