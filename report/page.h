// A report as one HTML file without scripts, network access or other files. It suits screens (light or
// dark, wide or narrow) and print.
//
// All text is plain text and is escaped here. Figures and tables with a caption are numbered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/chart.h"

namespace plumbline::report {

// The width of the text, for charts as wide as the page.
inline constexpr int kPageWidth = 952;

// A key figure in large type.
struct Tile {
  std::string label, value;
  std::string hint = {};  // small, below; may be empty
};

struct Figure {
  Chart chart;
  std::string caption = {};
};

enum class Align { left, center, right };

struct Column {
  std::string title;
  Align align = Align::right;
};

struct Cell {
  std::string text;
  bool best = false;  // bold
  // The background of a heat map: −1 (orange, bad) … 1 (blue, good).
  std::optional<double> shade = std::nullopt;
  std::string note = {};  // small, below the text
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows = {};  // missing cells at the end of a row stay empty
  bool row_titles = true;                    // the first cell of each row is its title
  bool compact = false;                      // small type, for many columns or rows
};

class Page {
 public:
  explicit Page(std::string_view title, std::string_view subtitle = "");

  void tiles(const std::vector<Tile>& tiles);
  void section(std::string_view title);  // three or more sections get a table of contents
  void subsection(std::string_view title);
  void text(std::string_view paragraph);
  void chart(const Chart& chart, std::string_view caption = "");
  // Places figures side by side, or below each other on narrow screens. Figures wider than half the page
  // are laid out again for that width, so that the text keeps its size; all get the same height.
  void charts(const std::vector<Figure>& figures);
  void table(const Table& table, std::string_view caption = "");
  void code(std::string_view text);

  std::string html() const;

 private:
  std::string caption_html(const char* what, int& count, std::string_view caption);
  void figure(const Chart& chart, std::string_view caption);
  std::string contents_html() const;

  std::string title_, subtitle_;
  std::vector<std::string> sections_;
  std::string body_;
  std::size_t first_section_ = 0;  // its position in the body
  int figures_ = 0, tables_ = 0;
};

}  // namespace plumbline::report
