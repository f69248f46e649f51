#include "plumbline/math/cycle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace plumbline::cycle_test {
namespace {

// The standard library's have errors of half a unit in the last place, and 2 pi turns is rounded to 4.4e-16 at most.
TEST(Cycle, IsSineAndCosineOfTurns) {
  for (int i = 0; i <= 86400; ++i) {
    const double turns = i / 86400.0;
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turns);
    const Cycle place = cycle(turns);
    EXPECT_NEAR(place.sine, static_cast<double>(std::sin(angle)), 3e-16) << turns;
    EXPECT_NEAR(place.cosine, static_cast<double>(std::cos(angle)), 3e-16) << turns;
  }
}

TEST(Cycle, IsExactAtQuarters) {
  const auto expect = [](double turns, double sine, double cosine) {
    EXPECT_EQ(cycle(turns).sine, sine);
    EXPECT_EQ(cycle(turns).cosine, cosine);
  };
  expect(0, 0, 1);
  expect(0.25, 1, 0);
  expect(0.5, 0, -1);
  expect(0.75, -1, 0);
  expect(1, 0, 1);
}

}  // namespace
}  // namespace plumbline::cycle_test
