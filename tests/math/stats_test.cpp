#include "plumbline/math/stats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumbline::stats_test {
namespace {

// Quantiles from the tables in any statistics book. The first five are kept to six digits; the
// expansion for the others is off by 1.1e-4 for 6 degrees of freedom and by less for more of them.
TEST(Stats, StudentQuantilesEqualTheTables) {
  EXPECT_NEAR(student_t975(1), 12.706205, 1e-6);
  EXPECT_NEAR(student_t975(2), 4.302653, 1e-6);
  EXPECT_NEAR(student_t975(3), 3.182446, 1e-6);
  EXPECT_NEAR(student_t975(4), 2.776445, 1e-6);
  EXPECT_NEAR(student_t975(5), 2.570582, 1e-6);
  EXPECT_NEAR(student_t975(6), 2.446912, 1.2e-4);
  EXPECT_NEAR(student_t975(9), 2.262157, 2e-5);
  EXPECT_NEAR(student_t975(30), 2.042272, 1e-6);
  EXPECT_NEAR(student_t975(1000000), 1.959966, 1e-6);
}

// The tables again, and far out Q(37) = 5.725571e-300 (Abramowitz & Stegun's expansion 26.2.12).
TEST(Stats, NormalQuantilesEqualTheTables) {
  EXPECT_EQ(normal_upper_quantile(0.5), 0);
  EXPECT_NEAR(normal_upper_quantile(0.05), 1.644853626951473, 1e-14);
  EXPECT_NEAR(normal_upper_quantile(0.025), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_upper_quantile(1e-9), 5.997807015007687, 1e-13);
  EXPECT_NEAR(normal_upper_quantile(5.725571e-300), 37, 1e-8);
  for (double z = 0; z < 37; z += 0.25) {
    EXPECT_NEAR(normal_upper_quantile(std::erfc(z / std::sqrt(2)) / 2), z, 1e-13);
  }
}

TEST(Stats, IntervalIsTheQuantileTimesTheStandardError) {
  const double values[3] = {1, 2, 6};
  const MeanInterval interval = mean_interval(values);
  EXPECT_DOUBLE_EQ(interval.mean, 3);
  EXPECT_NEAR(interval.half_width, 4.302653 * std::sqrt(7.0 / 3), 1e-6);
}

TEST(Stats, ASingleValueHasNoIntervalAndNoneHasNoMean) {
  const double one[1] = {5};
  EXPECT_EQ(mean_interval(one).mean, 5);
  EXPECT_EQ(mean_interval(one).half_width, 0);
  EXPECT_EQ(mean_interval({}).mean, 0);
}

}  // namespace
}  // namespace plumbline::stats_test
