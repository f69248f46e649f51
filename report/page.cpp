#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/style.h"
#include "report/text.h"

namespace plumbline::report {

namespace {

constexpr int kGap = 32;  // between two charts, as in the style sheet
constexpr int kHalfWidth = (kPageWidth - kGap) / 2;
constexpr int kLeastHeight = 300;
constexpr double kMostShade = 0.5;            // more would make the text hard to read
constexpr std::size_t kLeastForContents = 3;  // sections

std::string align_class(Align align) {
  switch (align) {
    case Align::right:
      return "right";
    case Align::center:
      return "center";
    default:
      return "";
  }
}

// Translucent, so that it suits a light and a dark page: Okabe and Ito's blue and orange.
std::string shade_attribute(const std::optional<double>& shade) {
  if (!shade || !std::isfinite(*shade) || *shade == 0) return "";
  const double strength = std::min(std::abs(*shade), 1.0) * kMostShade;
  return fmt::format(" style=\"background:rgba({},{:.2f})\"",
                     *shade > 0 ? "0,114,178" : "230,159,0", strength);
}

std::string cell_html(const Cell& cell, Align align, bool is_title) {
  std::string classes = align_class(align);
  if (cell.best) classes += classes.empty() ? "best" : " best";
  const char* tag = is_title ? "th" : "td";
  const std::string text = escape(cell.text);
  const std::string note =
      cell.note.empty() ? "" : fmt::format("<small>{}</small>", escape(cell.note));
  return fmt::format("<{0}{1}{2}{3}>{4}{5}</{0}>", tag, is_title ? " scope=\"row\"" : "",
                     classes.empty() ? "" : fmt::format(" class=\"{}\"", classes),
                     shade_attribute(cell.shade),
                     cell.best ? "<strong>" + text + "</strong>" : text, note);
}

std::string row_html(const Table& table, const std::vector<Cell>& row) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Cell cell = i < row.size() ? row[i] : Cell{};
    html += cell_html(cell, table.columns[i].align, i == 0 && table.row_titles);
  }
  return html + "</tr>\n";
}

std::string head_html(const Table& table) {
  std::string html = "<thead><tr>";
  for (const Column& column : table.columns) {
    const std::string align = align_class(column.align);
    html +=
        fmt::format("<th scope=\"col\"{}>{}</th>",
                    align.empty() ? "" : fmt::format(" class=\"{}\"", align), escape(column.title));
  }
  return html + "</tr></thead>\n";
}

// The chart laid out for half the page. Scaling the drawing down would make its text smaller.
Chart narrowed(Chart chart) {
  if (chart.width <= kHalfWidth) return chart;
  chart.height = std::max(kLeastHeight, chart.height * kHalfWidth / chart.width);
  chart.width = kHalfWidth;
  return chart;
}

}  // namespace

Page::Page(std::string_view title, std::string_view subtitle)
    : title_(title), subtitle_(subtitle) {}

void Page::tiles(const std::vector<Tile>& tiles) {
  body_ += "<dl class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    body_ += fmt::format("<div><dt>{}</dt><dd class=\"value\">{}</dd>", escape(tile.label),
                         escape(tile.value));
    if (!tile.hint.empty()) body_ += fmt::format("<dd class=\"hint\">{}</dd>", escape(tile.hint));
    body_ += "</div>\n";
  }
  body_ += "</dl>\n";
}

void Page::section(std::string_view title) {
  if (sections_.empty()) first_section_ = body_.size();
  sections_.emplace_back(title);
  body_ += fmt::format("<h2 id=\"section-{}\">{}</h2>\n", sections_.size(), escape(title));
}

void Page::subsection(std::string_view title) {
  body_ += fmt::format("<h3>{}</h3>\n", escape(title));
}

void Page::text(std::string_view paragraph) {
  body_ += fmt::format("<p>{}</p>\n", escape(paragraph));
}

std::string Page::caption_html(const char* what, int& count, std::string_view caption) {
  return fmt::format("<b>{} {}.</b> {}", what, ++count, escape(caption));
}

void Page::figure(const Chart& chart, std::string_view caption) {
  body_ += "<figure>\n" + to_svg(chart, SvgKind::embedded);
  if (!caption.empty()) {
    body_ +=
        fmt::format("<figcaption>{}</figcaption>\n", caption_html("Figure", figures_, caption));
  }
  body_ += "</figure>\n";
}

void Page::chart(const Chart& chart, std::string_view caption) { figure(chart, caption); }

void Page::charts(const std::vector<Figure>& figures) {
  std::vector<Figure> row = figures;
  int height = 0;
  for (Figure& each : row) {
    each.chart = narrowed(each.chart);
    height = std::max(height, each.chart.height);
  }
  body_ += "<div class=\"row\">\n";
  for (Figure& each : row) {
    each.chart.height = height;
    figure(each.chart, each.caption);
  }
  body_ += "</div>\n";
}

void Page::table(const Table& table, std::string_view caption) {
  body_ +=
      fmt::format("<div class=\"scroll\"><table{}>\n", table.compact ? " class=\"compact\"" : "");
  if (!caption.empty()) {
    body_ += fmt::format("<caption>{}</caption>\n", caption_html("Table", tables_, caption));
  }
  body_ += head_html(table) + "<tbody>\n";
  for (const auto& row : table.rows) body_ += row_html(table, row);
  body_ += "</tbody>\n</table></div>\n";
}

void Page::code(std::string_view text) {
  body_ += fmt::format("<pre><code>{}</code></pre>\n", escape(text));
}

std::string Page::contents_html() const {
  if (sections_.size() < kLeastForContents) return "";
  std::string html = "<nav aria-label=\"Contents\"><ol>\n";
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    html += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", i + 1, escape(sections_[i]));
  }
  return html + "</ol></nav>\n";
}

std::string Page::html() const {
  const std::string_view body = body_;
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n<main>\n<header>\n"
      "<h1>{0}</h1>\n{3}</header>\n{4}{5}{6}</main>\n</body>\n</html>\n",
      escape(title_), page_style(), chart_style(),
      subtitle_.empty() ? "" : fmt::format("<p class=\"subtitle\">{}</p>\n", escape(subtitle_)),
      body.substr(0, first_section_), contents_html(), body.substr(first_section_));
}

}  // namespace plumbline::report
