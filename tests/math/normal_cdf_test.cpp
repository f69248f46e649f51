#include "plumbline/math/normal_cdf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/math/rng.h"

namespace plumbline::normal_cdf_test {
namespace {

double error_at(double z) {
  const long double truth = 0.5L * std::erfc(-z / std::sqrt(2.0L));
  return static_cast<double>(std::abs(NormalCdf::at(z) - truth));
}

TEST(NormalCdf, IsRightToThreeRoundingsOfOne) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    const double range = i % 2 == 0 ? 9 : 1;
    worst = std::max(worst, error_at(range * (2 * Rng(1, 0, i).uniform() - 1)));
  }
  EXPECT_LT(worst, 3e-16);
}

TEST(NormalCdf, IsRightAtTheEdgesOfItsCells) {
  for (int i = -140; i <= 140; ++i) {
    const double edge = i / 16.0;
    for (const double z : {edge, std::nextafter(edge, -9.0), std::nextafter(edge, 9.0)}) {
      EXPECT_LT(error_at(z), 3e-16) << z;
    }
  }
}

TEST(NormalCdf, ReachesItsLimits) {
  EXPECT_EQ(NormalCdf::at(0), 0.5);
  for (const double z : {9.0, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(NormalCdf::at(z), 1);
    EXPECT_EQ(NormalCdf::at(-z), 0);
  }
}

}  // namespace
}  // namespace plumbline::normal_cdf_test
