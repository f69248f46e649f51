// Charts for a terminal: a curve in braille dots with numbered axes, and progress bars.
//
// With `ascii`, the output is ASCII, except for titles. It is deterministic, to the byte.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::report {

struct TerminalPlot {
  int width = 72;   // columns, including the numbers of the y axis
  int height = 16;  // lines of the plot, without its axis and titles
  std::optional<double> x_low, x_high, y_low, y_high;  // from the data if empty
  std::string title, x_title, y_title;                 // not printed if empty
  bool ascii = false;
};

// Draws the line through the points in their order. Values that are not finite leave gaps; points
// outside the range are cut off. Each line ends with a newline and has no trailing spaces.
std::string plot(const std::vector<double>& x, const std::vector<double>& y,
                 const TerminalPlot& options = {});

// A bar of `width` columns, of which `share` (0 … 1, clamped; NaN is 0) is filled, to an eighth of a column.
std::string bar(double share, int width, bool ascii = false);

}  // namespace plumbline::report
