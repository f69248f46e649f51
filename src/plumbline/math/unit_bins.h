// Bins of probabilities in [0, 1] with equal width, and the arcsine scale, on which the standard error of
// a frequency is constant. For bins with equal width in the log-odds see logit_bins.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plumbline::inline v0 {

// The index of the bin that contains the probability, of `bins` equal parts of [0, 1]; 1 is in the last one.
inline std::size_t bin_of(double probability, std::size_t bins) {
  const auto bin = static_cast<std::size_t>(probability * static_cast<double>(bins));
  return std::min(bin, bins - 1);
}

// arcsin(sqrt p), scaled to [0, 1]: the variance-stabilising transformation of a frequency.
inline double arcsine_scale(double probability) {
  return std::asin(std::sqrt(probability)) * (2 / std::numbers::pi);
}

}  // namespace plumbline::inline v0
