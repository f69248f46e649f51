// Bins of probabilities in [0, 1]: of equal width, or on the scale where a frequency has the same
// standard error everywhere. For bins of equal width in the log-odds see logit_bins.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plumbline::inline v0 {

// The bin of [0, 1], cut into `bins` equal parts, that holds a probability; 1 is in the last one.
inline std::size_t bin_of(double probability, std::size_t bins) {
  const auto bin = static_cast<std::size_t>(probability * static_cast<double>(bins));
  return std::min(bin, bins - 1);
}

// arcsin(sqrt p), scaled to [0, 1] (the variance-stabilising transformation of a frequency).
inline double arcsine_scale(double probability) {
  return std::asin(std::sqrt(probability)) * (2 / std::numbers::pi);
}

}  // namespace plumbline::inline v0
