#include "plumbline/math/loss.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumbline::loss_test {
namespace {

TEST(Loss, LogLossIsTheNegativeLogarithmOfTheLabelsProbability) {
  EXPECT_DOUBLE_EQ(log_loss(0.25, 1), std::log(4.0));
  EXPECT_DOUBLE_EQ(log_loss(0.25, 0), -std::log(0.75));
}

TEST(Loss, LogLossIsClippedAt1e15) {
  EXPECT_DOUBLE_EQ(log_loss(0, 1), -std::log(1e-15));
  EXPECT_DOUBLE_EQ(log_loss(1e-300, 1), -std::log(1e-15));
  // 1 - (1 - 1e-15) is 1e-15 only to the spacing of doubles near 1.
  EXPECT_NEAR(log_loss(1, 0), -std::log(1e-15), 0.2);
  EXPECT_GT(log_loss(1, 1), 0);
}

TEST(Loss, BrierIsTheSquaredError) {
  EXPECT_DOUBLE_EQ(brier(0.25, 1), 0.5625);
  EXPECT_DOUBLE_EQ(brier(0.25, 0), 0.0625);
}

TEST(Loss, SigmoidAndSoftplusDoNotOverflow) {
  EXPECT_DOUBLE_EQ(sigmoid(0), 0.5);
  EXPECT_EQ(sigmoid(1e300), 1);
  EXPECT_EQ(sigmoid(-1e300), 0);
  EXPECT_DOUBLE_EQ(sigmoid(2) + sigmoid(-2), 1);
  EXPECT_DOUBLE_EQ(sigmoid(-720), std::exp(-720.0));  // though e^720 is infinite
  EXPECT_DOUBLE_EQ(softplus(0), std::log(2.0));
  EXPECT_EQ(softplus(1e300), 1e300);
  EXPECT_EQ(softplus(-1e300), 0);
  EXPECT_DOUBLE_EQ(softplus(3) - softplus(-3), 3);
}

TEST(Loss, MeanLossOfNothingIsZero) {
  EXPECT_EQ(mean_loss({}, {}, brier), 0);
  const double p[2] = {0.5, 0};
  const Label y[2] = {1, 1};
  EXPECT_DOUBLE_EQ(mean_loss(p, y, brier), 0.625);
}

}  // namespace
}  // namespace plumbline::loss_test
