// Long series, thinned for drawing.
//
// A curve of a million points is drawn on some six hundred pixels. The points are cut into runs of
// equal length, and each run keeps the places where a column is least and greatest, and one gap if
// it has one. So no peak, trough or gap disappears, and the drawn curve fills the same pixels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::report {

inline constexpr std::size_t kMostPoints = 1000;

// The indices to keep, ascending: all of them if there are at most `most`, otherwise no more than
// `most` (and at least one run's). The columns have equal lengths; the first and last index are
// always kept.
std::vector<std::size_t> thin(std::span<const std::span<const double>> columns,
                              std::size_t most = kMostPoints);

}  // namespace plumbline::report
