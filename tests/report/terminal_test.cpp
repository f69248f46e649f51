#include "report/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/text.h"

namespace plumbline::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::vector<double> x, y;
};

Curve sigmoid() {
  Curve curve;
  for (int i = -40; i <= 40; ++i) {
    curve.x.push_back(i / 10.0);
    curve.y.push_back(1 / (1 + std::exp(-1.7 * curve.x.back())));
  }
  return curve;
}

TerminalPlot small() {
  TerminalPlot options;
  options.width = 40;
  options.height = 7;
  options.y_low = 0;
  options.y_high = 1;
  options.title = "platt";
  options.x_title = "score";
  options.y_title = "probability";
  return options;
}

TEST(TerminalPlot, DrawsACurveInBraille) {
  const auto [x, y] = sigmoid();
  EXPECT_EQ("\n" + plot(x, y, small()), R"(
                    platt
probability
1.0 ┤                      ⢀⡠⠔⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉
    │                    ⡠⠊⠁
    │                  ⡠⠊
0.5 ┤                 ⡨
    │               ⡠⠊
    │            ⢀⡠⠊
  0 ┤⣀⣀⣀⣀⣀⣀⣀⡠⠤⠤⠔⠊⠁
    └┬────────┬───────┬────────┬───────┬
    −4       −2       0        2       4
                    score
)");
}

TEST(TerminalPlot, DrawsACurveInAscii) {
  const auto [x, y] = sigmoid();
  TerminalPlot options = small();
  options.ascii = true;
  EXPECT_EQ("\n" + plot(x, y, options), R"(
                    platt
probability
1.0 +                      .:--:''''''''
    |                    ::'
    |                  .:
0.5 +                 |
    |               :'
    |            .::
  0 +........:--:'
    ++--------+-------+--------+-------+
    -4       -2       0        2       4
                    score
)");
}

TEST(TerminalPlot, IsAsciiWhereAskedEvenForTinyAndNegativeNumbers) {
  TerminalPlot options;
  options.ascii = true;
  const std::string text = plot({-3e-7, 3e-7}, {-2e20, 2e20}, options);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' || (c >= ' ' && c <= '~');
  })) << text;
}

TEST(TerminalPlot, LeavesGapsAndCutsOff) {
  TerminalPlot options;
  options.ascii = true;
  options.width = 30;
  options.height = 5;
  const std::string gap = plot({0, 1, 2, 3}, {1, kNan, kNan, 1}, options);
  EXPECT_EQ(gap.find("--- "), std::string::npos);
  options.y_low = 0;
  options.y_high = 1;
  const std::string cut = plot({0, 1, 2}, {5, 6, 1e100}, options);
  EXPECT_EQ(cut.find('\''), std::string::npos);
}

TEST(TerminalPlot, NeverPrintsNanOrExceedsItsWidth) {
  const std::vector<std::vector<double>> values{{},     {kNan},      {1},         {1e308, -1e308},
                                                {0, 0}, {5e-324, 0}, {1, 1e9, -4}};
  for (const auto& x : values) {
    for (const auto& y : values) {
      for (const int width : {-1, 0, 30, 80}) {
        TerminalPlot options;
        options.width = width;
        options.height = width / 5;
        const std::string text = plot(x, y, options);
        EXPECT_EQ(text.find("nan"), std::string::npos);
        EXPECT_EQ(text.find("inf"), std::string::npos);
        for (std::size_t at = 0, end; at < text.size() && width >= 30; at = end + 1) {
          end = text.find('\n', at);
          EXPECT_LE(length(text.substr(at, end - at)), static_cast<std::size_t>(width));
        }
      }
    }
  }
}

TEST(Bar, FillsByEighths) {
  EXPECT_EQ(bar(0, 4), "    ");
  EXPECT_EQ(bar(0.5, 4), "██  ");
  EXPECT_EQ(bar(0.53125, 4), "██▏ ");
  EXPECT_EQ(bar(1, 4), "████");
  EXPECT_EQ(bar(0.99, 4), "███▉");  // not full before it is done
}

TEST(Bar, HasAnAsciiForm) {
  EXPECT_EQ(bar(0, 4, true), "....");
  EXPECT_EQ(bar(0.6, 4, true), "##..");
  EXPECT_EQ(bar(1, 4, true), "####");
}

TEST(Bar, ClampsItsShare) {
  EXPECT_EQ(bar(-3, 2, true), "..");
  EXPECT_EQ(bar(7, 2, true), "##");
  EXPECT_EQ(bar(kNan, 2, true), "..");
  EXPECT_EQ(bar(kNan, 2), "  ");
  EXPECT_EQ(bar(0.5, -1), "");
}

}  // namespace
}  // namespace plumbline::report
