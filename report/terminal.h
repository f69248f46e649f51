// Charts for a terminal: a curve in braille dots with numbered axes, and progress bars.
//
// With `ascii`, nothing but ASCII is printed, titles apart. The same input gives the same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::report {

struct TerminalPlot {
  int width = 72;   // columns, the numbers of the y axis included
  int height = 16;  // lines of the plot, without its axis and titles
  std::optional<double> x_low, x_high, y_low, y_high;  // as the data need, where not given
  std::string title, x_title, y_title;                 // nothing is printed for an empty one
  bool ascii = false;
};

// The line through the points in their order. Values that are not finite leave gaps; points
// outside a given range are cut off. Each line ends with a newline and has no trailing spaces.
std::string plot(const std::vector<double>& x, const std::vector<double>& y,
                 const TerminalPlot& options = {});

// `width` columns of which `share` (0 … 1, clamped; NaN is 0) are filled, to an eighth of a column.
std::string bar(double share, int width, bool ascii = false);

}  // namespace plumbline::report
