#include "plumbline/calibrators/score_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::score_scale_test {
namespace {

double uniform(std::uint64_t i) { return 2 * Rng(5, 0, i).uniform() - 1; }

TEST(ScoreScale, IsZeroUntilTwoScoresDiffer) {
  ScoreScale scale;
  EXPECT_EQ(scale.standardized(7), 0);
  for (int i = 0; i < 10; ++i) scale.learn(3);
  EXPECT_EQ(scale.standardized(7), 0);
  scale.learn(5);
  EXPECT_GT(scale.standardized(7), 0);
}

TEST(ScoreScale, FindsMeanAndMeanAbsoluteDeviation) {
  ScoreScale scale;
  for (std::uint64_t i = 0; i < 5000; ++i) scale.learn(100 + 8 * uniform(i));
  // The mean absolute deviation of [-8, 8] is 4; 200 values have standard errors of 0.07 and 0.05 of it.
  EXPECT_NEAR(scale.standardized(100), 0, 0.3);
  EXPECT_NEAR(scale.standardized(104) - scale.standardized(100), 1, 0.2);
}

TEST(ScoreScale, FollowsAScaleThatChangesByAFactorOfHundred) {
  for (const double factor : {100.0, 0.01}) {
    ScoreScale scale;
    for (std::uint64_t i = 0; i < 3000; ++i) scale.learn(uniform(i));
    for (std::uint64_t i = 3000; i < 5000; ++i) scale.learn(factor * uniform(i));
    const double slope = scale.standardized(factor / 2) - scale.standardized(0);
    EXPECT_NEAR(slope, 1, 0.2) << factor;  // as above
  }
}

TEST(ScoreScale, IsHardlyMovedByOneOutlier) {
  ScoreScale scale;
  for (std::uint64_t i = 0; i < 3000; ++i) scale.learn(uniform(i));
  const double before = scale.standardized(0.5);
  scale.learn(1e150);
  EXPECT_NEAR(scale.standardized(0.5), before, 0.1 * std::abs(before));
  EXPECT_EQ(scale.standardized(1e150), 14);
}

}  // namespace
}  // namespace plumbline::score_scale_test
