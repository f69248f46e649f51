#include "plumbline/calibrators/beta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/calibrators/platt_newton.h"
#include "tests/calibrators/support.h"
#include "tests/support.h"

namespace plumbline::beta_test {
namespace {

using test::apply;
using test::excess_loss;
using test::feed;

// ln s = -softplus(-z) and ln(1 - s) = -softplus(z).
double beta_map(double a, double b, double c, double z) {
  return sigmoid(-a * softplus(-z) + b * softplus(z) + c);
}

// One step written out: s = 1/2, so x = (-ln 2, ln 2, 1); B = I, so that the step is along x.
TEST(Beta, TakesTheStepOfItsFormula) {
  Beta calibrator({.forgetting = 1, .ridge = 1});
  test::calibrate(calibrator, {0.5}, {1});
  const double l = std::log(2.0);
  const double step = 1 - sigmoid(test::implicit_margin(0, 2 * l * l + 1, 1));
  for (const double s : {0.1, 0.5, 0.9}) {
    const double z = (1 - step * l) * std::log(s) - (1 + step * l) * std::log(1 - s) + step;
    EXPECT_NEAR(apply(calibrator, s), sigmoid(z), 1e-9);  // the margin is found to within 1e-10
  }
}

TEST(Beta, FindsAMapThatIsSteepAtOneEndOnly) {
  const auto truth = [](double z) { return beta_map(2, 0.3, -0.5, z); };
  Beta beta({.forgetting = 1, .ridge = 1});
  PlattNewton platt({.forgetting = 1, .ridge = 1});
  feed(beta, truth, 0, 20000);
  feed(platt, truth, 0, 20000);
  // Five times the 3/(2n) of a fit of three parameters; a chi-squared test would fail 1 in 500.
  EXPECT_LT(excess_loss(beta, truth), 5 * 3 / (2 * 20000.0));
  EXPECT_GT(excess_loss(platt, truth), 0.005);
}

TEST(Beta, NeverFalls) {
  Beta calibrator({.forgetting = 1, .ridge = 1});
  feed(
      calibrator, [](double z) { return sigmoid(-z); }, 0, 20000);
  // The best map that does not fall is the share of positives, which is a half.
  for (const double s : {0.01, 0.5, 0.99}) {
    EXPECT_NEAR(apply(calibrator, s), 0.5, test::five_errors(0.5, 20000)) << s;
  }
}

TEST(Beta, ForgettingFollowsAChange) {
  const auto before = [](double z) { return beta_map(1, 1, 2, z); };
  const auto after = [](double z) { return beta_map(0.5, 2, -2, z); };
  Beta remembering({.forgetting = 1, .ridge = 1}), forgetting({.forgetting = 0.995});
  for (Beta* calibrator : {&remembering, &forgetting}) {
    feed(*calibrator, before, 0, 20000);
    feed(*calibrator, after, 20000, 22000);
  }
  // A memory of 1/(1 - f) = 200 examples, of which the excess of a fit is 3/400.
  EXPECT_LT(excess_loss(forgetting, after), 5 * 3 / 400.0);
  EXPECT_GT(excess_loss(remembering, after), 0.1);
}

}  // namespace
}  // namespace plumbline::beta_test
