#include "plumbline/calibrators/spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "plumbline/calibrators/platt_newton.h"
#include "tests/calibrators/support.h"
#include "tests/support.h"

namespace plumbline::spline_test {
namespace {

using test::apply;
using test::excess_loss;
using test::feed;
using test::logit;

// Knots at -4, -2, 0, 2, 4.
constexpr std::int64_t kKnots = 5;
constexpr double kReach = 4, kGap = 2;

// A slope that is linear between its values at the knots, integrated from 0 by small steps.
class Bent {
 public:
  double operator()(double z) const {
    constexpr int kSteps = 200;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += slope(z * (i + 0.5) / kSteps);
    return sigmoid(sum * z / kSteps - 0.5);
  }

 private:
  static double slope(double z) {
    const double slopes[] = {0.2, 2, 0.2, 2, 0.2};
    const double place = std::clamp((z + kReach) / kGap, 0.0, kKnots - 1.0);
    const int left = std::min(static_cast<int>(place), static_cast<int>(kKnots) - 2);
    return slopes[left] + (place - left) * (slopes[left + 1] - slopes[left]);
  }
};

TEST(Spline, BeginsAsTheRawScore) {
  Spline calibrator({.ridge = 1e6});  // so heavy that one example moves nothing
  test::calibrate(calibrator, {0.5}, {1});
  for (const double s : {1e-5, 0.1, 0.5, 0.9, 1 - 1e-5}) {
    EXPECT_NEAR(apply(calibrator, s), s, 1e-6) << s;
  }
}

TEST(Spline, FindsAMapThatBends) {
  const Bent truth;
  Spline spline({.knots = kKnots, .reach = kReach, .forgetting = 1});
  PlattNewton platt({.forgetting = 1});
  feed(spline, truth, 0, 20000);
  feed(platt, truth, 0, 20000);
  // Five times the 6/(2n) of a fit of six parameters.
  EXPECT_LT(excess_loss(spline, truth), 5 * 6 / (2 * 20000.0));
  EXPECT_GT(excess_loss(platt, truth), 0.002);
}

TEST(Spline, NeverFalls) {
  Spline calibrator({.forgetting = 1});
  feed(
      calibrator, [](double z) { return sigmoid(2 * std::sin(z)); }, 0, 5000);
  double last = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double p = apply(calibrator, i / 1000.0);
    EXPECT_GE(p, last) << i;
    last = p;
  }
}

TEST(Spline, SmoothnessMakesOneSlopeOfAll) {
  Spline calibrator({.forgetting = 1, .ridge = 1, .smoothness = 1e6});
  feed(
      calibrator, [](double z) { return sigmoid(0.5 * z - 1); }, 0, 20000);
  const double middle = logit(apply(calibrator, 0.5));
  // Standard errors of slope and intercept are some 0.02 with 20,000 examples.
  EXPECT_NEAR(middle, -1, 0.1);
  for (const double z : {-5.0, -1.0, 2.0, 5.0}) {
    const double slope = (logit(apply(calibrator, sigmoid(z))) - middle) / z;
    EXPECT_NEAR(slope, 0.5, 0.1) << z;
  }
}

TEST(Spline, ForgettingFollowsAChange) {
  const auto before = [](double z) { return sigmoid(z + 3); };
  const auto after = [](double z) { return sigmoid(2 * z - 3); };
  Spline remembering({.forgetting = 1}), forgetting({.forgetting = 0.995});
  for (Spline* calibrator : {&remembering, &forgetting}) {
    feed(*calibrator, before, 0, 20000);
    feed(*calibrator, after, 20000, 22000);
  }
  // Eight parameters from a memory of 200 examples have an excess of 8/400.
  EXPECT_LT(excess_loss(forgetting, after), 2 * 8 / 400.0);
  EXPECT_GT(excess_loss(remembering, after), 0.2);
}

}  // namespace
}  // namespace plumbline::spline_test
