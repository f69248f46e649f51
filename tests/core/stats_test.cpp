#include "plumbline/core/stats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumbline {
namespace {

// Quantiles from the tables in any statistics book.
TEST(Stats, StudentQuantilesEqualTheTables) {
  EXPECT_NEAR(student_t975(1), 12.706, 1e-3);
  EXPECT_NEAR(student_t975(5), 2.571, 1e-3);
  EXPECT_NEAR(student_t975(6), 2.447, 1e-3);
  EXPECT_NEAR(student_t975(9), 2.262, 1e-3);
  EXPECT_NEAR(student_t975(30), 2.042, 1e-3);
  EXPECT_NEAR(student_t975(1000000), 1.960, 1e-3);
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
}  // namespace plumbline
