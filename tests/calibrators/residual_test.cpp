#include "plumbline/calibrators/residual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plumbline/error.h"
#include "tests/calibrators/support.h"

namespace plumbline::residual_test {
namespace {

using test::apply;
using test::excess_loss;
using test::feed;
using test::logit;

// Knots of two stand at arcsin(sqrt q) = pi/8 and 3/8 pi.
double score_at(double angle_in_pi) {
  return std::pow(std::sin(std::numbers::pi * angle_in_pi), 2);
}

TEST(Residual, TakesOneNewtonStepAtAKnot) {
  Residual calibrator({.knots = 2, .forgetting = 1, .shrinkage = 3});
  const double q = score_at(1 / 8.0);
  test::calibrate(calibrator, {q, q, q}, {1, 0, 1});
  const double step = (2 - 3 * q) / (3 + 3 * q * (1 - q));
  EXPECT_NEAR(logit(apply(calibrator, q)), logit(q) + step, 1e-12);  // rounding of a few logarithms
  EXPECT_NEAR(logit(apply(calibrator, 0.01)), logit(0.01) + step, 1e-12);  // as the outer knot
  EXPECT_NEAR(logit(apply(calibrator, 0.5)), logit(0.5) + step / 2, 1e-12);
  EXPECT_NEAR(apply(calibrator, 0.99), 0.99, 1e-12);  // the other knot has seen nothing
}

TEST(Residual, SharesAnExampleBetweenTwoKnots) {
  Residual calibrator({.knots = 2, .forgetting = 1, .shrinkage = 1});
  const double q = score_at(3 / 16.0);  // a quarter of the way
  test::calibrate(calibrator, {q}, {1});
  const auto missed = test::numbers(calibrator, "missed");
  const auto variance = test::numbers(calibrator, "variance");
  EXPECT_NEAR(missed[0], 0.75 * (1 - q), 1e-15);
  EXPECT_NEAR(missed[1], 0.25 * (1 - q), 1e-15);
  EXPECT_NEAR(variance[0], 0.75 * q * (1 - q), 1e-15);
  EXPECT_NEAR(variance[1], 0.25 * q * (1 - q), 1e-15);
}

TEST(Residual, FadesWithEachExample) {
  Residual calibrator({.knots = 2, .forgetting = 0.5});
  const double q = score_at(1 / 8.0);
  test::calibrate(calibrator, {q, q}, {1, 0});
  EXPECT_NEAR(test::numbers(calibrator, "missed")[0], 0.5 * (1 - q) - q, 1e-15);
}

TEST(Residual, NeverMovesALogitByMoreThanOne) {
  Residual calibrator({.shrinkage = 0.001});
  for (int i = 0; i < 100; ++i) test::calibrate(calibrator, {0.1, 0.9}, {1, 0});
  EXPECT_NEAR(logit(apply(calibrator, 0.1)), logit(0.1) + 1, 1e-12);
  EXPECT_NEAR(logit(apply(calibrator, 0.9)), logit(0.9) - 1, 1e-12);
}

// A small wave in the logit, such as no sigmoid mends.
TEST(Residual, MendsASmallFaultThatStays) {
  const auto truth = [](double z) { return sigmoid(z + 0.4 * std::sin(2 * z)); };
  Residual calibrator({.forgetting = 1});
  const double before = excess_loss(calibrator, truth);
  feed(calibrator, truth, 0, 20000);
  EXPECT_GT(before, 0.005);
  // Twice what sixteen parameters from 20000 examples cost on average.
  EXPECT_LT(excess_loss(calibrator, truth), 2 * 16 / 40000.0);
}

TEST(Residual, CostsLittleWhereNothingIsWrong) {
  const auto truth = [](double z) { return sigmoid(z); };
  Residual calibrator({});
  feed(calibrator, truth, 0, 20000);
  // Sixteen parameters, and a memory of 5000 examples: 16/10000.
  EXPECT_LT(excess_loss(calibrator, truth), 0.0016);
}

TEST(Residual, RefusesNegativeVariances) {
  Residual calibrator({});
  test::calibrate(calibrator, {0.5}, {1});
  Tensors tensors = save_state(calibrator);
  test::overwrite(test::tensor(tensors, "variance"), 0, -1);
  EXPECT_THROW(load_state(calibrator, tensors), Error);
}

}  // namespace
}  // namespace plumbline::residual_test
