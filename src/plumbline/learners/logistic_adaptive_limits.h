// Limits shared by the dense and the sparse form of adaptive logistic regression.
#pragma once

#include <algorithm>

namespace plumbline::inline v0 {

inline constexpr double kInterceptVariance = 10;
// The largest weight; a log-odds of a million per deviation is a step function.
inline constexpr double kMaxWeight = 1e6;
// Features with a smaller variance count as constant.
inline constexpr double kLeastVariance = 1e-280;

inline double bounded_weight(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

}  // namespace plumbline::inline v0
