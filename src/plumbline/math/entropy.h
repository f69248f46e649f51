// x ln x for x >= 0, the term of entropies; 0 at 0.
#pragma once

#include <algorithm>

#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {

inline double x_log_x(double x) { return x * portable_log(std::max(x, 1e-290)); }

}  // namespace plumbline::inline v0
