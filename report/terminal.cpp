#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "report/curves.h"
#include "report/scale.h"
#include "report/text.h"

namespace plumbline::report {

namespace {

constexpr int kLeastPlotWidth = 8, kLeastPlotHeight = 3;

// A character shows several dots: braille 2 × 4, ASCII 1 × 3 (top, middle, bottom).
class Dots {
 public:
  Dots(int columns, int rows, bool ascii)
      : columns_(columns),
        rows_(rows),
        across_(ascii ? 1 : 2),
        down_(ascii ? 3 : 4),
        cells_(cell(0, rows)) {}

  int width() const { return columns_ * across_; }
  int height() const { return rows_ * down_; }

  void set(int x, int y) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    cells_[cell(x / across_, y / down_)] |=
        static_cast<std::uint8_t>(1 << (y % down_ * across_ + x % across_));
  }

  void line(double x1, double y1, double x2, double y2) {
    const int steps = std::max(1, static_cast<int>(std::max(std::abs(x2 - x1), std::abs(y2 - y1))));
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      set(static_cast<int>(std::lround(x1 + share * (x2 - x1))),
          static_cast<int>(std::lround(y1 + share * (y2 - y1))));
    }
  }

  std::string row(int row) const {
    std::string text;
    for (int column = 0; column < columns_; ++column) {
      const unsigned dots = cells_[cell(column, row)];
      text += down_ == 3 ? std::string(1, " '-:.::|"[dots]) : braille(dots);
    }
    return text;
  }

 private:
  std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  // Unicode numbers the dots of the two columns downwards, and those of the last row separately.
  static std::string braille(unsigned dots) {
    if (dots == 0) return " ";
    constexpr unsigned kBits[] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    unsigned pattern = 0;
    for (unsigned i = 0; i < 8; ++i) pattern |= (dots >> i & 1u) ? kBits[i] : 0u;
    return {'\xE2', static_cast<char>(0xA0 | pattern >> 6),
            static_cast<char>(0x80 | (pattern & 63))};
  }

  int columns_, rows_, across_, down_;
  std::vector<std::uint8_t> cells_;
};

// The tick marks and numbers of one axis; `positions` are columns, or rows from the top.
struct TerminalAxis {
  std::vector<int> positions;
  std::vector<std::string> labels;
};

// The label itself if it is ASCII or Unicode is allowed; otherwise the number without Unicode minus signs
// and superscripts.
std::string label_text(const std::string& label, double value, bool ascii) {
  const bool is_ascii = length(label) == label.size();
  return ascii && !is_ascii ? fmt::format("{:.6g}", value) : label;
}

TerminalAxis axis_of(const Scale& scale, int length, int most, bool from_top, bool ascii) {
  const std::vector<double> values = ticks(scale, most);
  TerminalAxis axis;
  axis.labels = tick_labels(values, scale);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double share = from_top ? 1 - scale.position(values[i]) : scale.position(values[i]);
    axis.positions.push_back(static_cast<int>(std::lround(share * (length - 1))));
    axis.labels[i] = label_text(axis.labels[i], values[i], ascii);
  }
  return axis;
}

Scale range(const std::vector<double>& values, const std::optional<double>& low,
            const std::optional<double>& high) {
  Extent extent;
  for (const double value : values) extent.add(value, false);
  if (extent.empty()) extent = {0, 1};
  return Scale(low.value_or(extent.low), high.value_or(extent.high));
}

void draw(Dots& dots, const std::vector<double>& x, const std::vector<double>& y, const Scale& xs,
          const Scale& ys) {
  const auto across = [&](double value) {
    return std::clamp(xs.position(value), -10.0, 11.0) * (dots.width() - 1);
  };
  const auto down = [&](double value) {
    return (1 - std::clamp(ys.position(value), -10.0, 11.0)) * (dots.height() - 1);
  };
  const auto drawn = [&](std::size_t i) { return drawable(x[i]) && drawable(y[i]); };
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!drawn(i)) continue;
    const std::size_t from = i > 0 && drawn(i - 1) ? i - 1 : i;
    dots.line(across(x[from]), down(y[from]), across(x[i]), down(y[i]));
  }
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

std::string trimmed_line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

int columns(std::string_view text) { return static_cast<int>(length(text)); }

// The axis, and below it the numbers, each centred under its tick if there is room.
std::string x_axis_lines(const TerminalAxis& axis, int margin, int width, bool ascii) {
  std::string rule = spaces(margin) + (ascii ? "+" : "└");
  for (int column = 0; column < width; ++column) {
    const bool tick =
        std::find(axis.positions.begin(), axis.positions.end(), column) != axis.positions.end();
    rule += ascii ? (tick ? "+" : "-") : (tick ? "┬" : "─");
  }
  std::string numbers;
  for (std::size_t i = 0; i < axis.positions.size(); ++i) {
    const int size = columns(axis.labels[i]);
    const int last_start = margin + 1 + width - size;
    const int start =
        std::clamp(margin + 1 + axis.positions[i] - size / 2, 0, std::max(0, last_start));
    if (!numbers.empty() && start <= columns(numbers)) continue;
    numbers += spaces(start - columns(numbers)) + axis.labels[i];
  }
  return trimmed_line(rule) + trimmed_line(numbers);
}

std::string centred(std::string_view text, int margin, int width) {
  return trimmed_line(spaces(margin + (width - columns(text)) / 2) + std::string(text));
}

}  // namespace

std::string plot(const std::vector<double>& x, const std::vector<double>& y,
                 const TerminalPlot& options) {
  const bool ascii = options.ascii;
  const int height = std::max(options.height, kLeastPlotHeight);
  const Scale xs = range(x, options.x_low, options.x_high);
  const Scale ys = range(y, options.y_low, options.y_high);
  const TerminalAxis y_axis = axis_of(ys, height, std::clamp(height / 3, 2, 10), true, ascii);
  int margin = 0;  // in front of the axis: the widest number and a space
  for (const auto& label : y_axis.labels) margin = std::max(margin, columns(label) + 1);
  const int width = std::max(options.width - margin - 1, kLeastPlotWidth);
  const TerminalAxis x_axis = axis_of(xs, width, std::clamp(width / 8, 3, 10), false, ascii);

  Dots dots(width, height, ascii);
  draw(dots, x, y, xs, ys);

  std::string out;
  if (!options.title.empty()) out += centred(options.title, margin + 1, width);
  if (!options.y_title.empty()) out += trimmed_line(options.y_title);
  for (int row = 0; row < height; ++row) {
    const auto tick = std::find(y_axis.positions.begin(), y_axis.positions.end(), row);
    const bool has_tick = tick != y_axis.positions.end();
    const std::string label =
        has_tick ? y_axis.labels[static_cast<std::size_t>(tick - y_axis.positions.begin())] : "";
    out += trimmed_line(spaces(margin - 1 - columns(label)) + label + " " +
                        (ascii ? (has_tick ? "+" : "|") : (has_tick ? "┤" : "│")) + dots.row(row));
  }
  out += x_axis_lines(x_axis, margin, width, ascii);
  if (!options.x_title.empty()) out += centred(options.x_title, margin + 1, width);
  return out;
}

std::string bar(double share, int width, bool ascii) {
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  width = std::max(width, 0);
  share = share > 0 ? std::min(share, 1.0) : 0;  // NaN is not > 0
  if (ascii) {
    const auto filled = static_cast<std::size_t>(share * width);
    return std::string(filled, '#') + std::string(static_cast<std::size_t>(width) - filled, '.');
  }
  const int eighths = static_cast<int>(share * width * 8);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return text + spaces(width - (eighths + 7) / 8);
}

}  // namespace plumbline::report
