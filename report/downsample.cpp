#include "report/downsample.h"

#include <algorithm>
#include <numeric>

#include "report/scale.h"

namespace plumbline::report {

namespace {

// Adds the indices of the minimum and the maximum of column[begin, end), and of the first gap.
void keep_extremes(std::span<const double> column, std::size_t begin, std::size_t end,
                   std::vector<std::size_t>& kept) {
  std::size_t least = end, greatest = end, gap = end;
  for (std::size_t i = begin; i < end; ++i) {
    if (!drawable(column[i])) {
      gap = std::min(gap, i);
      continue;
    }
    if (least == end || column[i] < column[least]) least = i;
    if (greatest == end || column[i] > column[greatest]) greatest = i;
  }
  for (const std::size_t i : {least, greatest, gap}) {
    if (i != end) kept.push_back(i);
  }
}

}  // namespace

std::vector<std::size_t> downsample(std::span<const std::span<const double>> columns,
                                    std::size_t most) {
  const std::size_t size = columns.empty() ? 0 : columns.front().size();
  std::vector<std::size_t> kept;
  if (size <= most) {
    kept.resize(size);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  const std::size_t per_run = 3 * columns.size();
  const std::size_t runs =
      std::max<std::size_t>(1, (most - std::min<std::size_t>(most, 2)) / per_run);
  kept.push_back(0);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t begin = size * run / runs, end = size * (run + 1) / runs;
    for (const auto column : columns) keep_extremes(column, begin, end, kept);
  }
  kept.push_back(size - 1);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace plumbline::report
