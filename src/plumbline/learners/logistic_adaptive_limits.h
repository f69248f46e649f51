// Limits shared by the dense and the sparse form of adaptive logistic regression.
#pragma once

#include <algorithm>
#include <cmath>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

inline constexpr double kInterceptVariance = 10;
// The largest weight; a log-odds of a million per deviation is a step function.
inline constexpr double kMaxWeight = 1e6;
// Features with a smaller variance count as constant.
inline constexpr double kLeastVariance = 1e-280;

// The limits of a standardized feature.
struct Bounds {
  double low, high;
};

// By value, not by reference as std::clamp: compilers vectorize it.
inline double kept_within(double value, double low, double high) {
  return std::clamp(value, low, high);
}

// Counts a standardized value among those that were learned from; `share` is 1/their number with it.
inline void count_learned(double z, double share, double& mean, double& squares) {
  const double delta = z - mean;
  mean += delta * share;
  squares = std::min(squares + delta * (z - mean), kMaxState);
}

// `reach` deviations around the mean of the values that were learned from, cut off at +-`clip`.
inline Bounds learned_bounds(double mean, double squares, double share, double reach, double clip) {
  const double most = reach * std::sqrt(squares * share);
  return {std::clamp(mean - most, -clip, clip), std::clamp(mean + most, -clip, clip)};
}

inline double bounded_weight(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

}  // namespace plumbline::inline v0
