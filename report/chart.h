// Charts as data, and their drawing as SVG.
//
// A chart is a plain struct that to_svg draws. Values that cannot be drawn (NaN, infinities, zero and
// less on a log axis) leave gaps and are never errors. The output is deterministic, to the byte.
//
// The colours are those of Okabe and Ito (2008), which are distinguishable with all common kinds of
// colour blindness, without yellow, which is too faint for lines on white. From the eighth series on
// they repeat with dashed lines. Points also have a shape per series.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::report {

struct Series {
  // steps: y is constant from its x to the next one. area: filled down to zero.
  // bars: x has the centres or, with one value more than y, the edges (a histogram).
  enum class Kind { line, points, steps, bars, area };

  std::string name = {};  // for the legend; no entry if empty
  Kind kind = Kind::line;
  std::vector<double> x = {}, y = {};
  // Empty, or one value per y: a band around a line or steps, error bars on points and bars.
  std::vector<double> low = {}, high = {};
};

struct Axis {
  std::string title = {};
  bool log = false;
  std::optional<double> low = {}, high = {};  // from the data if empty
  bool percent = false;                       // 0.25 is written 25%
  // x axis only: categories. Category i is at x = i; bars and points of several series are placed side
  // by side there.
  std::vector<std::string> names = {};
};

// A dashed line across the plot, e.g. for the time of a drift or the best possible loss. The text of a
// vertical rule is above it; that of a horizontal rule is in the legend.
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
  bool stacked = false;  // areas and bars are stacked in their order; they share the x of the first
  std::vector<Rule> rules = {};
  int width = 640, height = 400;
};

// embedded: for a page with chart_style() of style.h; standalone: a separate file, with a margin of 12
// pixels around the chart.
enum class SvgKind { standalone, embedded };
std::string to_svg(const Chart& chart, SvgKind kind = SvgKind::standalone);

}  // namespace plumbline::report
