// Draws the series of a chart as SVG: lines with bands, points with error bars, bars, stacked areas.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"
#include "report/curves.h"
#include "report/scale.h"

namespace plumbline::report {

// The rectangle of the plot in pixels, with its scales.
struct Frame {
  double left, top, width, height;
  Scale x, y;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  // Clamped to ten times the plot, so that outliers outside the range are short numbers.
  double px(double value) const;
  double py(double value) const;
  // The bottom for a value without a position, such as the zero of bars on a log axis.
  double py_or_bottom(double value) const { return y.has(value) ? py(value) : bottom(); }
};

std::string draw_curves(const Chart& chart, const std::vector<Curve>& curves, const Frame& frame);

// The style class of series `index`: "s0" … "s6", with dashes from the eighth on.
std::string series_class(std::size_t index);

// The sample of a series in the legend, `kKeyWidth` pixels wide from `x`, centred on `y`.
inline constexpr double kKeyWidth = 20;
std::string draw_key(const Chart& chart, std::size_t index, double x, double y);

}  // namespace plumbline::report
