// Bins of probabilities that are equally wide in the log-odds: as fine near 0 and near 1, where the
// probabilities of rare events crowd, as in the middle. 4096 bins over [-36, 36], beyond which a double
// hardly tells a probability from 1; the outer bins also hold what lies outside.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumbline::inline v0 {

inline constexpr std::size_t kLogitBins = 4096;
inline constexpr double kLogitLimit = 36;
inline constexpr double kLogitBinWidth = 2 * kLogitLimit / static_cast<double>(kLogitBins);

// ln(p/(1-p)), kept within the limits; for probabilities in [0, 1].
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
