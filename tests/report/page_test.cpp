#include "report/page.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumbline::report {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Page, EscapesEverythingThatIsGiven) {
  const std::string bad = "<script>\"&'</script>";
  Page page(bad, bad);
  page.tiles({{bad, bad, bad}});
  page.section(bad);
  page.subsection(bad);
  page.text(bad);
  page.code(bad);
  Chart chart;
  chart.title = bad;
  page.chart(chart, bad);
  page.charts({{chart, bad}, {chart, bad}});
  page.table({{{bad, Align::left}, {bad}}, {{{bad}, {bad, true, 0.5}}}}, bad);
  const std::string html = page.html();
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_FALSE(contains(html, "</script"));
  EXPECT_TRUE(contains(html, "<h1>&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</h1>"));
  EXPECT_TRUE(contains(html, "<th scope=\"col\">&lt;script&gt;"));
}

TEST(Page, IsADocumentForScreenAndPrint) {
  const std::string html = Page("Title").html();
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  for (const char* part : {"<meta charset=\"utf-8\">", "name=\"viewport\"", "<title>Title</title>",
                           "prefers-color-scheme:dark", "@media print"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

TEST(Page, NumbersFiguresAndTablesWithACaption) {
  Page page("Title");
  page.chart(Chart{});
  page.chart(Chart{}, "the first");
  page.table(Table{}, "a table");
  page.charts({{Chart{}, "the second"}, {Chart{}, "the third"}});
  const std::string html = page.html();
  EXPECT_TRUE(contains(html, "<figcaption><b>Figure 1.</b> the first</figcaption>"));
  EXPECT_TRUE(contains(html, "<b>Figure 3.</b> the third"));
  EXPECT_TRUE(contains(html, "<caption><b>Table 1.</b> a table</caption>"));
  EXPECT_FALSE(contains(html, "Figure 4"));
}

TEST(Page, ListsItsSectionsFromThreeOn) {
  Page page("Title");
  page.tiles({{"label", "value"}});
  page.section("One");
  page.section("Two");
  EXPECT_FALSE(contains(page.html(), "<nav"));
  page.section("Three");
  const std::string html = page.html();
  EXPECT_TRUE(contains(html, "<a href=\"#section-3\">Three</a>"));
  EXPECT_TRUE(contains(html, "<h2 id=\"section-3\">Three</h2>"));
  EXPECT_LT(html.find("<dl"), html.find("<nav"));
  EXPECT_LT(html.find("<nav"), html.find("<h2"));
}

TEST(Page, ShadesCellsWithinReason) {
  Page page("Title");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  page.table({{{"a"}, {"b"}, {"c"}, {"d"}},
              {{{"good"}, {"1", true, 7.0}, {"2", false, -0.5}, {"3", false, kNan}}}});
  const std::string html = page.html();
  EXPECT_TRUE(contains(html, "<th scope=\"row\" class=\"right\">good</th>"));
  EXPECT_TRUE(contains(html,
                       "<td class=\"right best\" style=\"background:rgba(0,114,178,0.50)\">"
                       "<strong>1</strong></td>"));
  EXPECT_TRUE(contains(html, "style=\"background:rgba(230,159,0,0.25)\">2</td>"));
  EXPECT_TRUE(contains(html, "<td class=\"right\">3</td>"));
}

TEST(Page, FillsUpShortRows) {
  Page page("Title");
  page.table({{{"a", Align::left}, {"b", Align::left}}, {{{"only"}}}});
  EXPECT_TRUE(contains(page.html(), "<tr><th scope=\"row\">only</th><td></td></tr>"));
}

TEST(Page, LaysOutChartsSideBySideAtHalfWidthAndEqualHeight) {
  Page page("Title");
  Chart square;
  square.height = square.width;
  page.charts({{square}, {Chart{}}});
  const std::string html = page.html();
  const std::string size = "width=\"460\" height=\"460\"";
  EXPECT_NE(html.find(size), html.rfind(size));
}

TEST(Page, IsTheSameBytesForTheSameCalls) {
  const auto make = [] {
    Page page("Title", "subtitle");
    page.section("One");
    page.chart(Chart{}, "caption");
    return page.html();
  };
  EXPECT_EQ(make(), make());
}

}  // namespace
}  // namespace plumbline::report
