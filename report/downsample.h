// Downsampling of long series for drawing.
//
// A curve of a million points is drawn on about six hundred pixels. The points are divided into runs of
// equal length, and each run keeps the indices of the minimum and the maximum of every column, and of
// one gap if there is one. No peak, trough or gap disappears, and the drawn curve fills the same pixels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::report {

inline constexpr std::size_t kMostPoints = 1000;

// The indices to keep, ascending: all if there are at most `most`, otherwise no more than `most` (and at
// least those of one run). The columns must have equal lengths; the first and the last index are always
// kept.
std::vector<std::size_t> downsample(std::span<const std::span<const double>> columns,
                                    std::size_t most = kMostPoints);

}  // namespace plumbline::report
