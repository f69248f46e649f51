#include "report/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::report {
namespace {

using Labels = std::vector<std::string>;

Labels labels(const Scale& scale, int most, bool percent = false) {
  return tick_labels(ticks(scale, most), scale, percent);
}

TEST(Ticks, AreMultiplesOfOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_EQ(ticks(Scale(0, 1), 5), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1}));
  EXPECT_EQ(ticks(Scale(0.13, 0.39), 3), (std::vector<double>{0.2, 0.3}));
  EXPECT_EQ(ticks(Scale(-7, 12), 4), (std::vector<double>{-5, 0, 5, 10}));
  EXPECT_EQ(ticks(Scale(0, 98765), 5), (std::vector<double>{0, 20000, 40000, 60000, 80000}));
}

TEST(Ticks, AreAtLeastTwoAndNotManyMoreThanAskedFor) {
  for (double high = 1e-12; high < 1e13; high *= 1.37) {
    for (int most = 2; most < 12; ++most) {
      const auto values = ticks(Scale(-high / 3, high), most);
      ASSERT_LE(values.size(), std::max<std::size_t>(5, static_cast<std::size_t>(most) + 1));
      ASSERT_GE(values.size(), 2u) << high << ' ' << most;
    }
  }
}

TEST(Ticks, OfALogScaleArePowersOfTen) {
  EXPECT_EQ(ticks(Scale(100, 1e6, true), 8), (std::vector<double>{1e2, 1e3, 1e4, 1e5, 1e6}));
  EXPECT_EQ(ticks(Scale(0.001, 10, true), 8), (std::vector<double>{0.001, 0.01, 0.1, 1, 10}));
  EXPECT_LE(ticks(Scale(1e-100, 1e100, true), 8).size(), 9u);
}

TEST(Ticks, OfAShortLogScaleAreOneTwoFive) {
  EXPECT_EQ(ticks(Scale(1, 50, true), 8), (std::vector<double>{1, 2, 5, 10, 20, 50}));
  EXPECT_GE(ticks(Scale(0.31, 0.42, true), 8).size(), 3u);  // and linear in a shorter one
}

TEST(Ticks, ExistForEveryRange) {
  const double values[] = {0, -1, 1, 5e-324, -5e-324, 1e-200, 1e-150, 0.1, 1e15, 1e150, -1e150};
  for (const double low : values) {
    for (const double high : values) {
      for (const bool log : {false, true}) {
        const Scale scale(low, high, log);
        EXPECT_LT(scale.low(), scale.high()) << low << ' ' << high;
        for (const double tick : ticks(scale, 6)) {
          ASSERT_TRUE(std::isfinite(tick) && (!log || tick > 0)) << low << ' ' << high;
          EXPECT_TRUE(std::isfinite(scale.position(tick)));
        }
      }
    }
  }
  EXPECT_LE(ticks(Scale(1e15, std::nextafter(1e15, 2e15)), 6).size(), 7u);
}

TEST(TickLabels, ShareOneStyle) {
  EXPECT_EQ(labels(Scale(0, 1), 5), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(Scale(0, 8000), 5), (Labels{"0", "2,000", "4,000", "6,000", "8,000"}));
  EXPECT_EQ(labels(Scale(0, 20000), 4), (Labels{"0", "5k", "10k", "15k", "20k"}));
  EXPECT_EQ(labels(Scale(0, 2e6), 4), (Labels{"0", "0.5M", "1.0M", "1.5M", "2.0M"}));
  EXPECT_EQ(labels(Scale(-2, 2), 2), (Labels{"−2", "0", "2"}));
  EXPECT_EQ(labels(Scale(100000, 100010), 2), (Labels{"100,000", "100,005", "100,010"}));
  EXPECT_EQ(labels(Scale(0, 2e-5), 2), (Labels{"0", "10⁻⁵", "2×10⁻⁵"}));
}

TEST(TickLabels, OfLogScalesAreShort) {
  EXPECT_EQ(labels(Scale(10, 1e6, true), 9), (Labels{"10", "100", "1k", "10k", "100k", "1M"}));
  EXPECT_EQ(labels(Scale(1e-3, 1, true), 9), (Labels{"0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(labels(Scale(1e-6, 1e-4, true), 9), (Labels{"10⁻⁶", "10⁻⁵", "10⁻⁴"}));
}

TEST(TickLabels, WritePerCent) {
  EXPECT_EQ(labels(Scale(0, 1), 2, true), (Labels{"0", "50%", "100%"}));
  EXPECT_EQ(labels(Scale(0, 0.01), 2, true), (Labels{"0", "0.5%", "1.0%"}));
}

TEST(Scale, PlacesItsEndsAtZeroAndOne) {
  for (const bool log : {false, true}) {
    const Scale scale(0.5, 200, log);
    EXPECT_DOUBLE_EQ(scale.position(0.5), 0);
    EXPECT_DOUBLE_EQ(scale.position(200), 1);
  }
  EXPECT_DOUBLE_EQ(Scale(1, 100, true).position(10), 0.5);
}

TEST(Scale, HasNoPlaceForWhatCannotBeDrawn) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double value : {kNan, kInfinity, -kInfinity, 1e200}) {
    EXPECT_FALSE(Scale(0, 1).has(value));
  }
  EXPECT_TRUE(Scale(0, 1).has(-5));
  EXPECT_FALSE(Scale(0, 1).within(-5));
  EXPECT_FALSE(Scale(1, 10, true).has(0));
  EXPECT_FALSE(Scale(1, 10, true).has(-1));
}

TEST(Scale, WidensToWholeTicks) {
  const Scale wide = widened_to_ticks(Scale(0.13, 0.87), 5);
  EXPECT_DOUBLE_EQ(wide.low(), 0);
  EXPECT_DOUBLE_EQ(wide.high(), 1);
}

}  // namespace
}  // namespace plumbline::report
