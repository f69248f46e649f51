#include "plumbline/math/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::portable_math_test {
namespace {

// How many units in its last place `value` is off.
double ulps_off(double value, long double truth) {
  const auto nearest = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(nearest), INFINITY) - std::abs(nearest);
  return static_cast<double>(std::abs(value - truth) / unit);
}

TEST(Elementary, ExpIsRightToTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    Rng rng(1, 0, i);
    const double x = (i % 2 == 0 ? 700 : 10) * (2 * rng.uniform() - 1);
    worst = std::max(worst, ulps_off(portable_exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 2);
  EXPECT_EQ(portable_exp(0), 1);
}

TEST(Elementary, LogIsRightToTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    Rng rng(2, 0, i);
    const double x = i % 2 == 0 ? std::exp(700 * (2 * rng.uniform() - 1)) : 0.5 + rng.uniform();
    worst = std::max(worst, ulps_off(portable_log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 2);
  EXPECT_EQ(portable_log(1), 0);
}

}  // namespace
}  // namespace plumbline::portable_math_test
