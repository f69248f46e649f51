// The SVG elements of charts.
#pragma once

#include <string>
#include <string_view>

namespace plumbline::report {

// A coordinate in tenths of a pixel, without trailing zeros. The value must be finite.
std::string coordinate(double value);

// The data of a <path>.
class Path {
 public:
  void move(double x, double y) { add('M', x, y); }
  void line(double x, double y) { add('L', x, y); }
  void dot() { data_ += "h0"; }  // with round line ends, a run of one point shows as a dot
  void close() { data_ += 'Z'; }

  bool empty() const { return data_.empty(); }
  // Empty for an empty path.
  std::string element(std::string_view style_class, std::string_view content = "") const;

 private:
  void add(char command, double x, double y);
  std::string data_;
};

std::string line_element(double x1, double y1, double x2, double y2,
                         std::string_view style_class = "");
// The corners may be given in any order.
std::string rect_element(double x1, double y1, double x2, double y2, std::string_view style_class,
                         std::string_view content = "");
// `anchor`: start, middle or end. `text` is escaped here.
std::string text_element(double x, double y, std::string_view text,
                         std::string_view anchor = "start", std::string_view style_class = "",
                         double rotated = 0);
// The tooltip of an element, and its name for screen readers.
std::string title_element(std::string_view text);

}  // namespace plumbline::report
