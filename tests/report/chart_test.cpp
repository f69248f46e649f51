#include "report/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

namespace plumbline::report {
namespace {

using Kind = Series::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Kind kKinds[] = {Kind::line, Kind::points, Kind::steps, Kind::bars, Kind::area};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

Chart chart_of(Series series) {
  Chart chart;
  chart.series = {std::move(series)};
  return chart;
}

// The values of an attribute in all elements that start with `element`. (std::regex overflows the
// stack on long paths.)
std::vector<std::string> attributes(const std::string& svg, const std::string& element,
                                    const std::string& name) {
  std::vector<std::string> result;
  for (auto at = svg.find(element); at != std::string::npos; at = svg.find(element, at + 1)) {
    const std::string tag = svg.substr(at, svg.find('>', at) - at);
    const std::string start = " " + name + "=\"";
    const std::size_t value = tag.find(start);
    if (value == std::string::npos) continue;
    const std::size_t from = value + start.size();
    result.push_back(tag.substr(from, tag.find('"', from) - from));
  }
  return result;
}

// The data of the first path of this class.
std::string path(const std::string& svg, const std::string& style_class) {
  const auto all = attributes(svg, "<path class=\"" + style_class + "\"", "d");
  return all.empty() ? "" : all.front();
}

// The inner <svg>, which clips the plot, starts one pixel above it.
double plot_top(const std::string& svg) {
  return std::stod(attributes(svg, "<svg x=", "y").at(0)) + 1;
}

// What stands around the first nan or inf in an attribute or label; empty if there is none.
std::string not_a_number(const std::string& svg) {
  for (const char* word : {"nan", "inf", "NaN", "Inf"}) {
    for (auto at = svg.find(word); at != std::string::npos; at = svg.find(word, at + 1)) {
      if (std::isalpha(static_cast<unsigned char>(svg[at - 1])) == 0 || svg[at - 1] == 'M' ||
          svg[at - 1] == 'L') {
        return svg.substr(at - std::min<std::size_t>(at, 60), 90);
      }
    }
  }
  return "";
}

TEST(Chart, IsAFileOfItsOwn) {
  const std::string svg = to_svg(chart_of({"a", Kind::line, {1, 2}, {3, 4}}));
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(count(svg, "<style>"), 1u);
  EXPECT_EQ(count(svg, "role=\"img\""), 1u);
  EXPECT_EQ(count(to_svg(Chart{}, SvgKind::embedded), "<style>"), 0u);
}

TEST(Chart, DescribesItselfToThoseWhoCannotSeeIt) {
  Chart chart = chart_of({"Platt", Kind::line, {1, 100}, {0.5, 0.25}});
  chart.title = "Loss";
  chart.x = {"examples", true};
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find("<title>Loss</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>Horizontal axis: examples, from 1 to 100, logarithmic."),
            std::string::npos);
  EXPECT_NE(svg.find("Platt ends at 0.25.</desc>"), std::string::npos);
}

TEST(Chart, LeavesAGapForNan) {
  for (const double missing : {kNan, kInfinity, -kInfinity}) {
    const std::string svg =
        to_svg(chart_of({"a", Kind::line, {0, 1, 2, 3, 4}, {1, 2, missing, 3, 4}}));
    EXPECT_EQ(count(path(svg, "line"), "M"), 2u);
    EXPECT_EQ(count(path(svg, "line"), "L"), 2u);
    EXPECT_EQ(not_a_number(svg), "");
  }
}

TEST(Chart, ShowsALonePointBetweenGaps) {
  const std::string svg = to_svg(chart_of({"a", Kind::line, {0, 1, 2, 3}, {kNan, 2, kNan, 3}}));
  EXPECT_EQ(count(path(svg, "line"), "h0"), 2u);
}

TEST(Chart, LeavesOutOfALogAxisWhatHasNoLogarithm) {
  for (const Kind kind : kKinds) {
    Series series{
        "a", kind, {-1, 0, 1, 10, 100}, {0, 5, -3, 0.1, 10}, {-1, 1, -4, -1, 1}, {1, 9, -2, 1, 20}};
    Chart chart = chart_of(series);
    chart.x.log = chart.y.log = true;
    EXPECT_EQ(not_a_number(to_svg(chart)), "");
    chart.x.low = chart.y.low = 0;  // a range that the axis cannot have
    EXPECT_EQ(not_a_number(to_svg(chart)), "");
    chart.x.high = chart.y.high = -1;
    EXPECT_EQ(not_a_number(to_svg(chart)), "");
  }
}

TEST(Chart, DrawsAnythingWithoutNanAndInfinity) {
  const std::vector<std::vector<double>> values{
      {}, {1}, {kNan, kNan}, {1, 1, 1}, {1e308, -1e308}, {5e-324, 0}, {kInfinity, 3}, {0, 1, 2}};
  for (const auto& x : values) {
    for (const auto& y : values) {
      for (const Kind kind : kKinds) {
        Chart chart = chart_of({"a", kind, x, y, y, y});
        chart.series.push_back({"", kind, y, x});
        chart.diagonal = true;
        chart.rules = {{kNan, "never"}, {0.5, "level", false}, {1, "event"}};
        EXPECT_EQ(not_a_number(to_svg(chart)), "");
        chart.stacked = true;
        chart.x.names = {"one", "two"};
        EXPECT_EQ(not_a_number(to_svg(chart)), "");
      }
    }
  }
}

TEST(Chart, WithoutSeriesIsAnEmptyPlot) {
  const std::string svg = to_svg(Chart{});
  EXPECT_EQ(not_a_number(svg), "");
  EXPECT_EQ(count(svg, "<path"), 0u);
}

TEST(Chart, IgnoresAnImpossibleSize) {
  Chart chart = chart_of({"a", Kind::line, {1, 2}, {3, 4}});
  chart.width = -5;
  chart.height = 0;
  EXPECT_EQ(count(to_svg(chart, SvgKind::embedded), "=\"-"), 0u);
}

TEST(Chart, EscapesEveryName) {
  const std::string bad = "<script>\"&'";
  Chart chart = chart_of({bad, Kind::points, {0}, {1}, {0.5}, {1.5}});
  chart.title = chart.x.title = chart.y.title = bad;
  chart.x.names = {bad};
  chart.rules = {{0, bad}, {1, bad, false}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(count(svg, "<script"), 0u);
  EXPECT_GE(count(svg, "&lt;script&gt;&quot;&amp;&#39;"), 8u);
}

TEST(Chart, KeepsThePeakOfALongSeries) {
  Series series{"a"};
  for (int i = 0; i < 300'000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 123'456 ? 7 : 0.5 * std::sin(i * 0.1));
  }
  Chart chart = chart_of(series);
  chart.y.low = -1;
  chart.y.high = 7;
  const std::string svg = to_svg(chart), line = path(svg, "line");
  EXPECT_LE(count(line, "L"), 1000u);
  std::ostringstream top;
  top << plot_top(svg);
  EXPECT_NE(line.find(" " + top.str() + "L"), std::string::npos);
}

TEST(Chart, DrawsABandPerRun) {
  const Series series{"a", Kind::line, {0, 1, 2, 3}, {1, 2, 3, 4}, {0, 1, kNan, 3}, {2, 3, 4, 5}};
  EXPECT_EQ(count(path(to_svg(chart_of(series)), "band"), "Z"), 2u);
}

TEST(Chart, DrawsErrorBarsOnPoints) {
  const Series series{"a", Kind::points, {0, 1}, {1, 2}, {0, 1}, {2, 3}};
  const std::string svg = to_svg(chart_of(series));
  EXPECT_EQ(count(path(svg, "error"), "M"), 6u);  // a stem and two caps each
  EXPECT_NE(svg.find("<title>a, 1: 2 (1 to 3)</title>"), std::string::npos);
}

TEST(Chart, TakesBarsByEdgesOrByCentres) {
  const std::string edges = to_svg(chart_of({"", Kind::bars, {0, 1, 3}, {5, 7}}));
  EXPECT_EQ(count(edges, "<rect class=\"bar\""), 2u);
  EXPECT_NE(edges.find("<title>1 to 3: 7</title>"), std::string::npos);
  const std::string centres = to_svg(chart_of({"", Kind::bars, {0, 1, 2}, {5, 7, 0}}));
  EXPECT_EQ(count(centres, "<rect class=\"bar\""), 2u);  // none of no height
}

TEST(Chart, NamesTheCategoryOfAPointByItsX) {
  Chart chart = chart_of({"a", Kind::points, {2, 0}, {5, 6}});
  chart.series.push_back({"b", Kind::points, {1}, {7}});
  chart.x.names = {"zero", "one", "two"};
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find("<title>a, two: 5</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>b, one: 7</title>"), std::string::npos);
}

TEST(Chart, StandsBarsOfCategoriesSideBySide) {
  Chart chart = chart_of({"a", Kind::bars, {0, 1}, {1, 1}});
  chart.series.push_back({"b", Kind::bars, {0, 1}, {1, 1}});
  chart.x.names = {"one", "two"};
  const std::string svg = to_svg(chart);
  std::vector<double> starts, widths;
  for (const auto& x : attributes(svg, "<rect class=\"bar\"", "x")) starts.push_back(std::stod(x));
  for (const auto& width : attributes(svg, "<rect class=\"bar\"", "width")) {
    widths.push_back(std::stod(width));
  }
  ASSERT_EQ(starts.size(), 6u);                         // two of them in the legend
  EXPECT_NEAR(starts[2] + widths[2], starts[4], 0.15);  // to the rounding of coordinates
  EXPECT_NEAR(starts[3] + widths[3], starts[5], 0.15);
}

TEST(Chart, StacksSharesToTheirSum) {
  Chart chart = chart_of({"a", Kind::area, {0, 1}, {0.25, 0.5}});
  chart.series.push_back({"b", Kind::area, {0, 1}, {0.75, 0.5}});
  chart.stacked = true;
  const std::string svg = to_svg(chart);
  EXPECT_EQ(count(svg, "<path class=\"pile\""), 2u);
  EXPECT_NE(svg.find("Vertical axis: from 0 to 1."), std::string::npos);
}

TEST(Chart, GivesBothAxesOneRangeForTheDiagonal) {
  Chart chart = chart_of({"a", Kind::points, {0.2, 0.4}, {0.1, 0.9}});
  chart.diagonal = true;
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find("Horizontal axis: from 0 to 1. Vertical axis: from 0 to 1."),
            std::string::npos);
  EXPECT_NE(svg.find("perfect calibration"), std::string::npos);
  chart.diagonal_text = "no change";
  EXPECT_NE(to_svg(chart).find("no change"), std::string::npos);
}

TEST(Chart, KeepsTheLegendAboveThePlot) {
  Chart chart;
  for (int i = 0; i < 30; ++i) {
    chart.series.push_back({"a rather long name " + std::to_string(i), Kind::line, {0, 1}, {0, 1}});
  }
  chart.height = 600;
  const std::string svg = to_svg(chart);
  const auto names = attributes(svg, "<text class=\"key\"", "y");
  EXPECT_EQ(names.size(), chart.series.size());
  for (const auto& y : names) EXPECT_LT(std::stod(y), plot_top(svg));
}

TEST(Chart, IsTheSameBytesForTheSameData) {
  Chart chart = chart_of({"a", Kind::points, {0.1, 0.7}, {0.3, 0.9}, {0.2, 0.8}, {0.4, 1}});
  EXPECT_EQ(to_svg(chart), to_svg(chart));
  EXPECT_EQ(to_svg(chart), to_svg(Chart(chart)));
}

}  // namespace
}  // namespace plumbline::report
