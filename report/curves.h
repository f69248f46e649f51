// The layout of a chart's series before drawing: consistent lengths, downsampling, stacking, placement
// side by side, edges of bars, and the range of all values.
#pragma once

#include <cstddef>
#include <vector>

#include "report/chart.h"

namespace plumbline::report {

struct Curve {
  std::size_t index;  // of the series in the chart
  Series::Kind kind;
  std::vector<double> x, y;
  std::vector<double> low, high;    // empty, or as long as y
  std::vector<double> base;         // areas and bars: the lower end; as long as y
  std::vector<double> left, right;  // bars: their edges; as long as y

  bool has_band() const { return !low.empty(); }
  bool is_filled() const { return kind == Series::Kind::area || kind == Series::Kind::bars; }
};

// One curve per series, in their order.
std::vector<Curve> curves_of(const Chart& chart);

// The range of the values in a chart; empty while low > high.
struct Extent {
  double low = 1e300, high = -1e300;

  bool empty() const { return low > high; }
  void add(double value, bool log);  // a value that cannot be drawn is ignored
};

Extent x_extent(const Chart& chart, const std::vector<Curve>& curves);
Extent y_extent(const Chart& chart, const std::vector<Curve>& curves);

}  // namespace plumbline::report
