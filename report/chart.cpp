#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/curves.h"
#include "report/marks.h"
#include "report/style.h"
#include "report/svg.h"
#include "report/text.h"

namespace plumbline::report {

namespace {

constexpr double kFontSize = 12, kTitleSize = 15;
constexpr double kTitleLine = 20, kLegendLine = 20, kTickLine = 18, kAxisTitle = 20;
constexpr double kWide = 640;   // wider charts scroll on a narrow screen rather than shrink
constexpr double kSlant = -35;  // in degrees, for names that do not fit side by side

struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;

  double widest() const {
    double result = 0;
    for (const auto& label : labels) result = std::max(result, text_width(label, kFontSize));
    return result;
  }
};

Ticks ticks_of(const Axis& axis, const Scale& scale, int most) {
  Ticks result{ticks(scale, most), {}};
  result.labels = tick_labels(result.values, scale, axis.percent);
  return result;
}

// The largest number of ticks whose labels do not touch.
Ticks fitting_ticks(const Axis& axis, const Scale& scale, double width) {
  if (!axis.names.empty()) {
    Ticks result;
    for (const auto& name : axis.names) {
      result.values.push_back(static_cast<double>(result.values.size()));
      result.labels.push_back(shorten(name, kFontSize, 150));
    }
    return result;
  }
  for (int most = std::clamp(static_cast<int>(width / 70), 2, 12);; --most) {
    Ticks result = ticks_of(axis, scale, most);
    const double needed = static_cast<double>(result.values.size()) * (result.widest() + 12);
    if (most <= 2 || needed <= width) return result;
  }
}

// Powers of ten may be closer than other numbers: there are none between them.
int most_y_ticks(const Chart& chart) {
  return std::clamp(chart.height / (chart.y.log ? 35 : chart.diagonal ? 75 : 55), 2, 10);
}

// The axis' own ends, if set; other ends are slightly beyond the data, at whole ticks if `to_ticks`.
Scale scale_of(const Axis& axis, const Extent& extent, bool to_ticks, double margin, int most) {
  if (extent.empty())
    return Scale(axis.low.value_or(axis.log ? 1 : 0), axis.high.value_or(axis.log ? 10 : 1),
                 axis.log);
  const Scale data(axis.low.value_or(extent.low), axis.high.value_or(extent.high), axis.log);
  double low = data.low(), high = data.high();
  if (axis.log) {
    const double factor = std::pow(high / low, margin);
    low /= factor;
    high *= factor;
  } else if (to_ticks) {
    const Scale wide = widened_to_ticks(data, most);
    low = wide.low();
    high = wide.high();
  } else {
    const double room = (high - low) * margin;
    low -= room;
    high += room;
  }
  const auto end_or = [&axis](const std::optional<double>& end, double otherwise) {
    return end && drawable(*end) && (!axis.log || *end > 0) ? *end : otherwise;
  };
  return Scale(end_or(axis.low, low), end_or(axis.high, high), axis.log);
}

// Rules have different dash patterns; a diagonal has the first one.
std::string rule_class(const Chart& chart, std::size_t index) {
  return fmt::format("rule r{}", (index + (chart.diagonal ? 1 : 0)) % 3);
}

struct Scales {
  Scale x, y;
};

Scales scales_of(const Chart& chart, const std::vector<Curve>& curves) {
  Extent x = x_extent(chart, curves), y = y_extent(chart, curves);
  const int most = most_y_ticks(chart);
  if (chart.diagonal && chart.x.log == chart.y.log) {
    Extent both{std::min(x.low, y.low), std::max(x.high, y.high)};
    return {scale_of(chart.x, both, true, 0.04, most), scale_of(chart.y, both, true, 0.04, most)};
  }
  // Points on the edge would look cut off.
  const bool points = std::any_of(curves.begin(), curves.end(), [](const Curve& curve) {
    return curve.kind == Series::Kind::points;
  });
  const double margin = points && chart.x.names.empty() ? 0.03 : 0;
  return {scale_of(chart.x, x, false, margin, most), scale_of(chart.y, y, true, 0.04, most)};
}

// Draws from the top down and tracks its position.
class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        width_(std::max(chart.width, 160)),
        height_(std::max(chart.height, 120)),
        curves_(curves_of(chart)),
        scales_(scales_of(chart, curves_)) {}

  std::string body() {
    draw_title();
    draw_legend();
    const Frame frame = place_frame();
    draw_grid(frame);
    draw_diagonal(frame);
    out_ += draw_curves(chart_, curves_, frame);
    draw_rules(frame);
    draw_axes(frame);
    return out_;
  }

  std::string description() const;
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  void draw_title();
  void draw_legend();
  Frame place_frame();
  void draw_grid(const Frame& frame);
  void draw_rules(const Frame& frame);
  void draw_diagonal(const Frame& frame);
  void draw_axes(const Frame& frame);
  bool has_diagonal() const { return chart_.diagonal && chart_.x.log == chart_.y.log; }
  // Entries of the legend besides the series: name and style class.
  std::vector<std::pair<std::string, std::string>> dashed_keys() const;

  const Chart& chart_;
  const double width_, height_;
  const std::vector<Curve> curves_;
  const Scales scales_;
  Ticks x_ticks_, y_ticks_;
  bool slanted_ = false;  // slants the names under the x axis
  double top_ = 0;        // the bottom of the last element drawn
  std::string out_;
};

void Drawing::draw_title() {
  for (const auto& line : wrap(chart_.title, kTitleSize, width_)) {
    out_ += text_element(0, top_ + kTitleSize, line, "start", "title");
    top_ += kTitleLine;
  }
  if (top_ > 0) top_ += 3;
}

std::vector<std::pair<std::string, std::string>> Drawing::dashed_keys() const {
  std::vector<std::pair<std::string, std::string>> keys;
  if (has_diagonal()) keys.emplace_back(chart_.diagonal_text, "rule");
  for (std::size_t i = 0; i < chart_.rules.size(); ++i) {
    const Rule& rule = chart_.rules[i];
    if (!rule.vertical && !rule.text.empty()) keys.emplace_back(rule.text, rule_class(chart_, i));
  }
  return keys;
}

void Drawing::draw_legend() {
  constexpr double kGap = 7, kBetween = 18;
  double x = 0;
  // Writes the name and returns the position of its key.
  const auto add_name = [&](const std::string& full_name) {
    const std::string name = shorten(full_name, kFontSize, width_ - kKeyWidth - kGap);
    const double entry = kKeyWidth + kGap + text_width(name, kFontSize);
    if (x > 0 && x + entry > width_) {
      x = 0;
      top_ += kLegendLine;
    }
    out_ += text_element(x + kKeyWidth + kGap, top_ + kLegendLine / 2 + 4, name, "start", "key");
    return std::exchange(x, x + entry + kBetween);
  };
  for (std::size_t i = 0; i < chart_.series.size(); ++i) {
    if (chart_.series[i].name.empty()) continue;
    const double start = add_name(chart_.series[i].name);
    out_ += draw_key(chart_, i, start, top_ + kLegendLine / 2);
  }
  for (const auto& [name, style_class] : dashed_keys()) {
    const double start = add_name(name), y = top_ + kLegendLine / 2;
    out_ += line_element(start, y, start + kKeyWidth, y, style_class);
  }
  if (x > 0) top_ += kLegendLine;
}

Frame Drawing::place_frame() {
  y_ticks_ = ticks_of(chart_.y, scales_.y, most_y_ticks(chart_));
  const double left = (chart_.y.title.empty() ? 0 : kAxisTitle) + y_ticks_.widest() + 8;
  // Half a label may extend beyond the right end.
  const double right = width_ - std::max(12.0, text_width("100k", kFontSize) / 2);
  const double width = std::max(right - left, 40.0);
  x_ticks_ = fitting_ticks(chart_.x, scales_.x, width);
  const double names = static_cast<double>(std::max<std::size_t>(x_ticks_.labels.size(), 1));
  slanted_ = !chart_.x.names.empty() && x_ticks_.widest() + 8 > width / names;

  const double label = slanted_ ? x_ticks_.widest() * 0.6 + kTickLine : kTickLine + 2;
  const double bottom = height_ - label - (chart_.x.title.empty() ? 0 : kAxisTitle) - 2;
  const bool has_rules =
      std::any_of(chart_.rules.begin(), chart_.rules.end(),
                  [](const Rule& rule) { return rule.vertical && !rule.text.empty(); });
  const double top = top_ + (has_rules ? kTickLine + 4 : 10);
  return Frame{left, top, width, std::max(bottom - top, 40.0), scales_.x, scales_.y};
}

void Drawing::draw_grid(const Frame& frame) {
  out_ += "<g class=\"grid\">\n";
  for (const double tick : y_ticks_.values) {
    const bool zero = tick == 0 && frame.y.low() < 0;
    out_ +=
        line_element(frame.left, frame.py(tick), frame.right(), frame.py(tick), zero ? "zero" : "");
  }
  for (const double tick : x_ticks_.values) {
    if (!chart_.x.names.empty()) break;
    out_ += line_element(frame.px(tick), frame.top, frame.px(tick), frame.bottom());
  }
  out_ += "</g>\n";
}

void Drawing::draw_rules(const Frame& frame) {
  double free_from = 0;  // labels that would touch the previous one appear only in the tooltip
  for (std::size_t i = 0; i < chart_.rules.size(); ++i) {
    const Rule& rule = chart_.rules[i];
    const Scale& scale = rule.vertical ? frame.x : frame.y;
    if (!scale.within(rule.at)) continue;
    out_ += fmt::format("<g>{}\n", title_element(rule.text));
    if (rule.vertical) {
      const double x = frame.px(rule.at), half = text_width(rule.text, kFontSize) / 2;
      const double centre = std::clamp(x, half, std::max(half, width_ - half));
      out_ += line_element(x, frame.top, x, frame.bottom(), rule_class(chart_, i));
      if (centre - half >= free_from) {
        out_ += text_element(centre, frame.top - 6, rule.text, "middle");
        free_from = centre + half + 8;
      }
    } else {
      const double y = frame.py(rule.at);
      out_ += line_element(frame.left, y, frame.right(), y, rule_class(chart_, i));
    }
    out_ += "</g>\n";
  }
}

void Drawing::draw_diagonal(const Frame& frame) {
  const double low = std::max(frame.x.low(), frame.y.low());
  const double high = std::min(frame.x.high(), frame.y.high());
  if (!has_diagonal() || low >= high) return;
  out_ += line_element(frame.px(low), frame.py(low), frame.px(high), frame.py(high), "rule");
}

void Drawing::draw_axes(const Frame& frame) {
  out_ += "<g class=\"axis\">\n";
  const double bottom = frame.bottom();
  out_ += line_element(frame.left, bottom, frame.right(), bottom);
  for (const double tick : minor_ticks(frame.x)) {
    out_ += line_element(frame.px(tick), bottom, frame.px(tick), bottom + 3);
  }
  for (const double tick : minor_ticks(frame.y)) {
    out_ += line_element(frame.left - 3, frame.py(tick), frame.left, frame.py(tick));
  }
  for (std::size_t i = 0; i < x_ticks_.values.size(); ++i) {
    const double x = frame.px(x_ticks_.values[i]);
    if (chart_.x.names.empty()) out_ += line_element(x, bottom, x, bottom + 5);
    out_ += text_element(x, bottom + kTickLine, x_ticks_.labels[i], slanted_ ? "end" : "middle", "",
                         slanted_ ? kSlant : 0);
  }
  for (std::size_t i = 0; i < y_ticks_.values.size(); ++i) {
    out_ +=
        text_element(frame.left - 8, frame.py(y_ticks_.values[i]) + 4, y_ticks_.labels[i], "end");
  }
  out_ += "</g>\n";
  if (!chart_.x.title.empty()) {
    out_ += text_element(frame.left + frame.width / 2, height_ - 4, chart_.x.title, "middle",
                         "axis-title");
  }
  if (!chart_.y.title.empty()) {
    out_ += text_element(kFontSize, frame.top + frame.height / 2, chart_.y.title, "middle",
                         "axis-title", -90);
  }
}

std::string Drawing::description() const {
  const auto axis = [](const char* which, const Axis& of, const Scale& scale) {
    if (!of.names.empty()) return fmt::format("{} axis: {} categories. ", which, of.names.size());
    const double unit = of.percent ? 0.01 : 1;
    return fmt::format("{} axis: {}{}from {} to {}{}. ", which, of.title,
                       of.title.empty() ? "" : ", ", number_text(scale.low() / unit),
                       number_text(scale.high() / unit),
                       of.percent ? "%"
                       : of.log   ? ", logarithmic"
                                  : "");
  };
  std::string text =
      axis("Horizontal", chart_.x, scales_.x) + axis("Vertical", chart_.y, scales_.y);
  for (const Series& series : chart_.series) {
    if (series.name.empty()) continue;
    text += series.name;
    const bool curve = series.kind == Series::Kind::line || series.kind == Series::Kind::steps;
    if (curve && !series.y.empty()) text += " ends at " + number_text(series.y.back());
    text += ". ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::string to_svg(const Chart& chart, SvgKind kind) {
  Drawing drawing(chart);
  const std::string body = drawing.body();
  // A standalone file needs its own margin, background and style; a page has them.
  const bool alone = kind == SvgKind::standalone;
  const double margin = alone ? 12 : 0;
  const double width = drawing.width() + 2 * margin, height = drawing.height() + 2 * margin;
  const std::string paper =
      alone ? fmt::format("<style>{}</style>\n{}", chart_style(),
                          rect_element(-margin, -margin, width - margin, height - margin, "paper"))
            : "";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart{0}\" role=\"img\" "
      "viewBox=\"{1} {1} {2} {3}\" width=\"{2}\" height=\"{3}\" aria-label=\"{4}\">\n"
      "<title>{4}</title>\n<desc>{5}</desc>\n{6}{7}</svg>\n",
      width > kWide ? " wide" : "", coordinate(-margin), coordinate(width), coordinate(height),
      escape(chart.title.empty() ? "Chart" : chart.title), escape(drawing.description()), paper,
      body);
}

}  // namespace plumbline::report
