#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.h"

namespace plumbline::report {

namespace {

std::string class_attribute(std::string_view style_class) {
  return style_class.empty() ? "" : fmt::format(" class=\"{}\"", style_class);
}

std::string end(std::string_view content, std::string_view element) {
  return content.empty() ? "/>" : fmt::format(">{}</{}>", content, element);
}

}  // namespace

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

void Path::add(char command, double x, double y) {
  data_ += command;
  data_ += coordinate(x);
  data_ += ' ';
  data_ += coordinate(y);
}

std::string Path::element(std::string_view style_class, std::string_view content) const {
  if (data_.empty()) return "";
  return fmt::format("<path{} d=\"{}\"{}\n", class_attribute(style_class), data_,
                     end(content, "path"));
}

std::string line_element(double x1, double y1, double x2, double y2, std::string_view style_class) {
  return fmt::format("<line{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                     class_attribute(style_class), coordinate(x1), coordinate(y1), coordinate(x2),
                     coordinate(y2));
}

std::string rect_element(double x1, double y1, double x2, double y2, std::string_view style_class,
                         std::string_view content) {
  return fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}\n",
                     class_attribute(style_class), coordinate(std::min(x1, x2)),
                     coordinate(std::min(y1, y2)), coordinate(std::max(x1, x2) - std::min(x1, x2)),
                     coordinate(std::max(y1, y2) - std::min(y1, y2)), end(content, "rect"));
}

std::string text_element(double x, double y, std::string_view text, std::string_view anchor,
                         std::string_view style_class, double rotated) {
  const std::string position = coordinate(x) + "\" y=\"" + coordinate(y);
  return fmt::format("<text{} x=\"{}\"{}{}>{}</text>\n", class_attribute(style_class), position,
                     anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", anchor),
                     rotated == 0 ? ""
                                  : fmt::format(" transform=\"rotate({} {} {})\"",
                                                coordinate(rotated), coordinate(x), coordinate(y)),
                     escape(text));
}

std::string title_element(std::string_view text) {
  return text.empty() ? "" : fmt::format("<title>{}</title>", escape(text));
}

}  // namespace plumbline::report
