#include "plumbline/calibrators/platt_newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/error.h"
#include "plumbline/math/loss.h"
#include "tests/calibrators/support.h"

namespace plumbline::platt_newton_test {
namespace {

using test::apply;

// Feeds examples whose true probability is 1/(1 + e^{-(a z + b)}), one after the other.
void feed(PlattNewton& calibrator, double a, double b, std::uint64_t from, std::uint64_t count) {
  test::feed(
      calibrator, [=](double z) { return sigmoid(a * z + b); }, from, from + count);
}

TEST(PlattNewton, PassesTheRawScoreThroughBeforeTheFirstFit) {
  const PlattNewton calibrator({});
  for (const double score : {0.0, 0.3, 1.0}) EXPECT_EQ(apply(calibrator, score), score);
}

// One step written out: x = (ln 3, 1), and B = I, so that the step is along x.
TEST(PlattNewton, TakesTheStepOfItsFormula) {
  PlattNewton calibrator({.forgetting = 1, .ridge = 1});
  const double z = std::log(3.0);
  test::calibrate(calibrator, {0.75}, {0});
  const double step = -sigmoid(test::implicit_margin(z, z * z + 1, 0));
  const double slope = 1 + step * z, intercept = step;
  for (const double s : {0.1, 0.5, 0.9}) {
    // The margin is found to within 1e-10.
    EXPECT_NEAR(apply(calibrator, s), sigmoid(slope * std::log(s / (1 - s)) + intercept), 1e-9);
  }
}

TEST(PlattNewton, FindsTheTrueMap) {
  PlattNewton calibrator({.forgetting = 1, .ridge = 1});
  feed(calibrator, 0.5, -1, 0, 50000);
  for (const double z : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
    // The standard error of p is at most about 0.004 with 50,000 examples: five of them.
    EXPECT_NEAR(apply(calibrator, sigmoid(z)), sigmoid(0.5 * z - 1), 0.02) << z;
  }
}

TEST(PlattNewton, ForgettingFollowsAChange) {
  PlattNewton remembering({.forgetting = 1, .ridge = 1}), forgetting({.forgetting = 0.995});
  for (PlattNewton* calibrator : {&remembering, &forgetting}) {
    feed(*calibrator, 1, 2, 0, 20000);
    feed(*calibrator, 1, -2, 20000, 2000);
  }
  const double wanted = sigmoid(-2);
  EXPECT_LT(std::abs(apply(forgetting, 0.5) - wanted), 0.1);
  EXPECT_GT(std::abs(apply(remembering, 0.5) - wanted), 0.3);
}

TEST(PlattNewton, StaysFiniteForScoresAtTheEdgesAndOneClass) {
  PlattNewton calibrator({.forgetting = 0.5, .ridge = 1e-6});
  const std::vector<double> scores{0, 1, 0, 1};
  for (const auto& labels : {std::vector<Label>{1, 0, 1, 0}, std::vector<Label>{1, 1, 1, 1}}) {
    for (int i = 0; i < 1000; ++i) calibrator.calibrate(scores, labels);
    for (const double s : {0.0, 0.5, 1.0}) {
      const double p = apply(calibrator, s);
      EXPECT_TRUE(p >= 0 && p <= 1) << p;
    }
  }
}

TEST(PlattNewton, RefusesACurvatureThatIsNone) {
  PlattNewton calibrator({});
  Tensors tensors = save_state(calibrator);
  for (Tensor& tensor : tensors) {
    if (tensor.name == "curvature")
      std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte{0});
  }
  EXPECT_THROW(load_state(calibrator, tensors), Error);
}

}  // namespace
}  // namespace plumbline::platt_newton_test
