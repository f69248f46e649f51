// Charts as data, and their drawing as SVG.
//
// A chart is a plain struct: fill in what matters, and to_svg draws it. Values that cannot be drawn
// (NaN, infinities, zero and less on a log axis) leave gaps; nothing in a chart is an error. The
// same chart gives the same bytes.
//
// The colours are those of Okabe and Ito (2008), which people with any common kind of colour
// blindness can tell apart, without yellow, which is too faint for lines on white. From the eighth
// series on they repeat with dashed lines. Points have a shape per series besides.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::report {

struct Series {
  // steps: y holds from its x to the next one. area: filled down to zero.
  // bars: x holds the centres, or, with one value more than y, the edges (a histogram).
  enum class Kind { line, points, steps, bars, area };

  std::string name = {};  // for the legend; without a name there is no entry
  Kind kind = Kind::line;
  std::vector<double> x = {}, y = {};
  // Empty, or one value per y: a band around a line or steps, error bars on points and bars.
  std::vector<double> low = {}, high = {};
};

struct Axis {
  std::string title = {};
  bool log = false;
  std::optional<double> low = {}, high = {};  // as the data need, where not given
  bool percent = false;                       // 0.25 is written 25%
  // x axis only: categories. Category i lies at x = i; bars and points of several series stand side
  // by side there.
  std::vector<std::string> names = {};
};

// A dashed line across the plot: where the drift was, the best possible loss. The words stand above
// a vertical one; a horizontal one has an entry in the legend.
struct Rule {
  double at = 0;
  std::string text = {};
  bool vertical = true;  // at x = at; otherwise at y = at
};

struct Chart {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  bool diagonal = false;  // the line y = x; both axes then have the same range
  std::string diagonal_text = "perfect calibration";
  bool stacked = false;  // areas and bars pile up in their order; they share the x of the first
  std::vector<Rule> rules = {};
  int width = 640, height = 400;
};

// embedded: for a page that has chart_style() of style.h; standalone: a file of its own,
// with a margin of 12 pixels around the chart's size.
enum class SvgKind { standalone, embedded };
std::string to_svg(const Chart& chart, SvgKind kind = SvgKind::standalone);

}  // namespace plumbline::report
