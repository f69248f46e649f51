#include "report/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "report/svg.h"
#include "report/text.h"

namespace plumbline::report {

namespace {

using Kind = Series::Kind;
using Points = std::vector<std::array<double, 2>>;

constexpr std::size_t kColours = 7;
constexpr std::size_t kMostDottedPoints = 24;  // lines of up to this many points show each of them
constexpr std::size_t kMostTooltips = 200;     // per series; more would enlarge the page
constexpr double kPointRadius = 4, kDotRadius = 3;

// Consecutive indices without a gap: [first, second).
using Run = std::pair<std::size_t, std::size_t>;

template <class Visible>
std::vector<Run> runs(std::size_t size, Visible visible) {
  std::vector<Run> result;
  for (std::size_t i = 0; i < size; ++i) {
    if (!visible(i)) continue;
    if (result.empty() || result.back().second != i) result.emplace_back(i, i);
    result.back().second = i + 1;
  }
  return result;
}

// The corners of the curve through `y`, in pixels.
Points corners(const Curve& curve, const std::vector<double>& y, Run run, const Frame& frame) {
  Points result;
  for (std::size_t i = run.first; i < run.second; ++i) {
    const double right = frame.px(curve.x[i]);
    if (curve.kind == Kind::steps && !result.empty()) result.push_back({right, result.back()[1]});
    result.push_back({right, frame.py_or_bottom(y[i])});
  }
  return result;
}

void add_line(Path& path, const Points& points) {
  path.move(points[0][0], points[0][1]);
  for (std::size_t i = 1; i < points.size(); ++i) path.line(points[i][0], points[i][1]);
  if (points.size() == 1) path.dot();
}

std::string draw_line(const Curve& curve, const Frame& frame, const char* style_class) {
  Path path;
  const auto visible = [&](std::size_t i) {
    return frame.x.has(curve.x[i]) && frame.y.has(curve.y[i]);
  };
  for (const Run& run : runs(curve.y.size(), visible)) {
    add_line(path, corners(curve, curve.y, run, frame));
  }
  return path.element(style_class);
}

// Draws the surface between two curves: a band, or an area and its base.
std::string draw_between(const Curve& curve, const std::vector<double>& low,
                         const std::vector<double>& high, const Frame& frame,
                         const char* style_class) {
  Path path;
  const auto visible = [&](std::size_t i) {
    return frame.x.has(curve.x[i]) && frame.y.has(high[i]) && drawable(low[i]);
  };
  for (const Run& run : runs(curve.x.size(), visible)) {
    const Points lower = corners(curve, low, run, frame);
    add_line(path, corners(curve, high, run, frame));
    for (auto point = lower.rbegin(); point != lower.rend(); ++point) {
      path.line((*point)[0], (*point)[1]);
    }
    path.close();
  }
  return path.element(style_class);
}

std::string value_text(double value, bool percent) {
  return percent ? number_text(100 * value) + "%" : number_text(value);
}

// Curves that are placed side by side are less than half a category off.
std::string x_text(const Chart& chart, const Curve& curve, std::size_t i) {
  if (!chart.x.names.empty()) {
    const double category = std::round(curve.x[i]);
    const bool named = category >= 0 && category < static_cast<double>(chart.x.names.size());
    return named ? chart.x.names[static_cast<std::size_t>(category)] : number_text(category);
  }
  if (curve.left.empty()) return value_text(curve.x[i], chart.x.percent);
  return value_text(curve.left[i], chart.x.percent) + " to " +
         value_text(curve.right[i], chart.x.percent);
}

std::string tooltip(const Chart& chart, const Curve& curve, std::size_t i) {
  if (curve.y.size() > kMostTooltips) return "";
  const std::string& name = chart.series[curve.index].name;
  // The value of a stacked bar or area is its own height.
  const double y = curve.is_filled() ? curve.y[i] - curve.base[i] : curve.y[i];
  std::string text = fmt::format("{}{}{}: {}", name, name.empty() ? "" : ", ",
                                 x_text(chart, curve, i), value_text(y, chart.y.percent));
  if (curve.has_band()) {
    text += fmt::format(" ({} to {})", value_text(curve.low[i], chart.y.percent),
                        value_text(curve.high[i], chart.y.percent));
  }
  return title_element(text);
}

std::string draw_bars(const Chart& chart, const Curve& curve, const Frame& frame) {
  std::string result;
  const char* style_class = chart.stacked ? "pile" : "bar";
  for (std::size_t i = 0; i < curve.y.size(); ++i) {
    const bool visible = frame.x.has(curve.right[i]) && frame.y.has(curve.y[i]) &&
                         drawable(curve.left[i]) && drawable(curve.base[i]);
    if (!visible || curve.y[i] == curve.base[i]) continue;
    const double left = frame.x.has(curve.left[i]) ? frame.px(curve.left[i]) : frame.left;
    result +=
        rect_element(left, frame.py(curve.y[i]), frame.px(curve.right[i]),
                     frame.py_or_bottom(curve.base[i]), style_class, tooltip(chart, curve, i));
  }
  return result;
}

// Each series has its own shape, so that points can be distinguished without colours.
std::string marker(std::size_t index, double x, double y, double radius, std::string_view content) {
  const double wide = radius * 1.25;
  Path path;
  const auto polygon = [&](std::initializer_list<std::array<double, 2>> corners) {
    for (const auto& corner : corners) {
      path.empty() ? path.move(x + corner[0], y + corner[1])
                   : path.line(x + corner[0], y + corner[1]);
    }
    path.close();
  };
  const double square = radius * 0.9;
  switch (index % 5) {
    case 0:
      return fmt::format("<circle class=\"point\" cx=\"{}\" cy=\"{}\" r=\"{}\">{}</circle>\n",
                         coordinate(x), coordinate(y), coordinate(radius), content);
    case 1:
      polygon({{-square, -square}, {square, -square}, {square, square}, {-square, square}});
      break;
    case 2:
      polygon({{0, -wide}, {wide, radius}, {-wide, radius}});
      break;
    case 3:
      polygon({{0, -wide}, {wide, 0}, {0, wide}, {-wide, 0}});
      break;
    default:
      polygon({{0, wide}, {wide, -radius}, {-wide, -radius}});
      break;
  }
  return path.element("point", content);
}

std::string draw_points(const Chart& chart, const Curve& curve, const Frame& frame, double radius) {
  std::string result;
  for (std::size_t i = 0; i < curve.y.size(); ++i) {
    if (!frame.x.within(curve.x[i]) || !frame.y.within(curve.y[i])) continue;
    result += marker(curve.index, frame.px(curve.x[i]), frame.py(curve.y[i]), radius,
                     tooltip(chart, curve, i));
  }
  return result;
}

std::string draw_error_bars(const Curve& curve, const Frame& frame) {
  constexpr double kCap = 3;
  Path path;
  for (std::size_t i = 0; i < curve.low.size(); ++i) {
    if (!frame.x.within(curve.x[i]) || !frame.y.has(curve.high[i]) || !drawable(curve.low[i])) {
      continue;
    }
    const double x = frame.px(curve.x[i]);
    const double low = std::clamp(frame.py_or_bottom(curve.low[i]), frame.top, frame.bottom());
    const double high = std::clamp(frame.py(curve.high[i]), frame.top, frame.bottom());
    for (const double y : {low, high}) {
      path.move(x - kCap, y);
      path.line(x + kCap, y);
    }
    path.move(x, low);
    path.line(x, high);
  }
  return path.element("error");
}

// Surfaces are drawn below all lines, lines below all points.
enum class Layer { surfaces, lines, points };

std::string draw_surface(const Chart& chart, const Curve& curve, const Frame& frame) {
  if (curve.kind == Kind::bars) return draw_bars(chart, curve, frame);
  if (curve.kind == Kind::area) {
    return draw_between(curve, curve.base, curve.y, frame, chart.stacked ? "pile" : "area");
  }
  if (curve.kind == Kind::points || !curve.has_band()) return "";
  return draw_between(curve, curve.low, curve.high, frame, "band");
}

std::string draw_layer(const Chart& chart, const Curve& curve, const Frame& frame, Layer layer) {
  const bool line = curve.kind == Kind::line || curve.kind == Kind::steps ||
                    (curve.kind == Kind::area && !chart.stacked);
  switch (layer) {
    case Layer::surfaces:
      return draw_surface(chart, curve, frame);
    case Layer::lines:
      return line ? draw_line(curve, frame, "line") : "";
    case Layer::points:
      break;
  }
  if (curve.kind == Kind::bars) return draw_error_bars(curve, frame);
  if (curve.kind == Kind::points) {
    return draw_error_bars(curve, frame) + draw_points(chart, curve, frame, kPointRadius);
  }
  const bool dotted = curve.kind == Kind::line && curve.y.size() <= kMostDottedPoints;
  return dotted ? draw_points(chart, curve, frame, kDotRadius) : "";
}

std::string draw_layer(const Chart& chart, const std::vector<Curve>& curves, const Frame& frame,
                       Layer layer) {
  std::string result;
  for (const Curve& curve : curves) {
    const std::string marks = draw_layer(chart, curve, frame, layer);
    if (marks.empty()) continue;
    result += fmt::format("<g class=\"{}\">{}\n{}</g>\n", series_class(curve.index),
                          title_element(chart.series[curve.index].name), marks);
  }
  return result;
}

}  // namespace

double Frame::px(double value) const {
  return left + std::clamp(x.position(value), -10.0, 11.0) * width;
}

double Frame::py(double value) const {
  return bottom() - std::clamp(y.position(value), -10.0, 11.0) * height;
}

std::string series_class(std::size_t index) {
  return fmt::format("s{}{}", index % kColours, index >= kColours ? " dashed" : "");
}

std::string draw_curves(const Chart& chart, const std::vector<Curve>& curves, const Frame& frame) {
  // An inner <svg> clips without an id, so that many charts can share a page. It leaves room for
  // half the width of a line.
  const std::string box =
      fmt::format("x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\"",
                  coordinate(frame.left - 1), coordinate(frame.top - 1),
                  coordinate(frame.width + 2), coordinate(frame.height + 2));
  return fmt::format("<svg {}>\n{}{}</svg>\n{}", box,
                     draw_layer(chart, curves, frame, Layer::surfaces),
                     draw_layer(chart, curves, frame, Layer::lines),
                     draw_layer(chart, curves, frame, Layer::points));
}

std::string draw_key(const Chart& chart, std::size_t index, double x, double y) {
  const Series& series = chart.series[index];
  const double right = x + kKeyWidth, middle = x + kKeyWidth / 2;
  std::string marks;
  switch (series.kind) {
    case Kind::points:
      marks = marker(index, middle, y, kPointRadius, "");
      break;
    case Kind::bars:
    case Kind::area: {
      const char* style_class = chart.stacked ? "pile" : series.kind == Kind::bars ? "bar" : "area";
      marks = rect_element(x + 4, y - 6, right - 4, y + 6, style_class);
      break;
    }
    default:
      if (!series.low.empty()) marks = rect_element(x, y - 5, right, y + 5, "band");
      marks += line_element(x, y, right, y, "line");
      if (series.kind == Kind::line && series.y.size() <= kMostDottedPoints) {
        marks += marker(index, middle, y, kDotRadius, "");
      }
  }
  return fmt::format("<g class=\"{}\">{}</g>\n", series_class(index), marks);
}

}  // namespace plumbline::report
