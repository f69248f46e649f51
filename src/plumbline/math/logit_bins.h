// Bins of probabilities with equal width in the log-odds, which are as fine near 0 and 1, where the
// probabilities of rare events lie, as in the middle. There are 4096 bins over [-36, 36], beyond which
// doubles hardly distinguish a probability from 1. The outer bins also hold all values outside.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumbline::inline v0 {

inline constexpr std::size_t kLogitBins = 4096;
inline constexpr double kLogitLimit = 36;
inline constexpr double kLogitBinWidth = 2 * kLogitLimit / static_cast<double>(kLogitBins);

// ln(p/(1-p)), clamped to the limits; for probabilities in [0, 1].
inline double limited_logit(double probability) {
  if (probability <= 0) return -kLogitLimit;
  if (probability >= 1) return kLogitLimit;
  return std::clamp(std::log(probability / (1 - probability)), -kLogitLimit, kLogitLimit);
}

inline std::size_t logit_bin(double limited_logit) {
  const auto bin = static_cast<std::size_t>((limited_logit + kLogitLimit) / kLogitBinWidth);
  return std::min(bin, kLogitBins - 1);
}

}  // namespace plumbline::inline v0
