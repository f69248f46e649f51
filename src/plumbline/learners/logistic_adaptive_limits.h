// What the dense and the sparse form of adaptive logistic regression share.
#pragma once

#include <algorithm>

namespace plumbline::inline v0 {

inline constexpr double kInterceptVariance = 10;
// No step leads beyond this; a log-odds of a million for one deviation is a threshold.
inline constexpr double kMaxWeight = 1e6;
// Below it a feature counts as constant.
inline constexpr double kLeastVariance = 1e-280;

inline double bounded_weight(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

}  // namespace plumbline::inline v0
