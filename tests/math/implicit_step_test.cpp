#include "plumbline/math/implicit_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/loss.h"

namespace plumbline::implicit_step_test {
namespace {

TEST(ImplicitStep, EndsWhereItsOwnResidualLeads) {
  for (const double margin : {-700.0, -20.0, -1.0, 0.0, 0.3, 5.0, 700.0}) {
    for (const double gain : {0.0, 1e-6, 0.5, 10.0, 1e4}) {
      for (const Label label : {Label{0}, Label{1}}) {
        const double m = implicit_margin(margin, gain, label);
        // Steps of Newton's method below 1e-10 of the margin end it.
        EXPECT_NEAR(m, margin + gain * (label - sigmoid(m)), 1e-8 * (1 + std::abs(margin) + gain))
            << margin << " " << gain;
      }
    }
  }
}

// Newton's method alone cycles at some of these: 2.897 and 11,000 ended 1 % of the gain away.
TEST(ImplicitStep, EndsThereWithLargeGainsToo) {
  for (double gain = 1; gain < 1e5; gain *= 1.07) {
    for (double margin = -40; margin < 40; margin += 0.237) {
      const double m = implicit_margin(margin, gain, 1);
      // m is off by less than 1e-9 (1 + |m|), and the right side changes by at most gain/4 for each unit of m.
      EXPECT_NEAR(m, margin + gain * (1 - sigmoid(m)), 1e-9 * (1 + std::abs(m)) * (1 + gain / 4))
          << margin << " " << gain;
    }
  }
}

TEST(ImplicitStep, GoesTowardsTheLabelButNotFurtherThanTheGain) {
  EXPECT_GT(implicit_margin(0, 3, 1), 0);
  EXPECT_LT(implicit_margin(0, 3, 1), 3);
  EXPECT_EQ(implicit_margin(0, 3, 0), -implicit_margin(0, 3, 1));
  EXPECT_EQ(implicit_margin(2, 0, 0), 2);
}

TEST(ImplicitStep, KnowsTheLossAtEveryMargin) {
  EXPECT_EQ(logistic_point(0, 1).residual, 0.5);
  EXPECT_EQ(logistic_point(0, 0).residual, -0.5);
  EXPECT_EQ(logistic_point(0, 0).curvature, 0.25);
  // Far out, where 1 - p rounds to 0 but the residual must not.
  EXPECT_NEAR(logistic_point(100, 1).residual / std::exp(-100.0), 1, 1e-12);
  EXPECT_NEAR(logistic_point(-100, 0).residual / -std::exp(-100.0), 1, 1e-12);
  EXPECT_EQ(logistic_point(1e9, 0).residual, -1);
  EXPECT_EQ(logistic_point(1e9, 0).curvature, 0);
}

}  // namespace
}  // namespace plumbline::implicit_step_test
