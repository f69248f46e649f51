#include "plumbline/calibrators/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/error.h"
#include "tests/calibrators/support.h"

namespace plumbline::histogram_test {
namespace {

using test::apply;
using test::excess_loss;
using test::feed;

// The score at the lower edge of bin k of 20: sin^2(pi/2 k/20).
double edge(int k) { return std::pow(std::sin(std::numbers::pi / 2 * k / 20), 2); }

// Not a sigmoid, nor even monotone: likely in the middle, unlikely at both ends.
double hill(double z) {
  const double s = sigmoid(z);
  return s >= edge(6) && s < edge(14) ? 0.8 : 0.2;
}

double stairs(double z) { return z < -1 ? 0.1 : z < 1 ? 0.5 : 0.9; }

TEST(Histogram, ShrinksABinTowardTheMeanOfItsScores) {
  Histogram calibrator({.bins = 1, .forgetting = 1, .shrinkage = 3, .base = Histogram::Base::raw});
  test::calibrate(calibrator, {0.3, 0.5}, {1, 0});
  EXPECT_DOUBLE_EQ(apply(calibrator, 0.9), (1 + 3 * 0.4) / (2 + 3));
}

TEST(Histogram, FadesWithEachExampleAndLeavesEmptyBinsAlone) {
  Histogram calibrator(
      {.bins = 2, .forgetting = 0.5, .shrinkage = 1, .base = Histogram::Base::raw});
  test::calibrate(calibrator, {0.3, 0.3, 0.3}, {1, 0, 1});
  const double n = 1.75, positives = 1.25;
  EXPECT_DOUBLE_EQ(apply(calibrator, 0.2), (positives + 0.3) / (n + 1));
  EXPECT_EQ(apply(calibrator, 0.8), 0.8);
}

TEST(Histogram, CountsWhatTheBaseSaidBeforeItLearned) {
  Histogram calibrator({.bins = 1, .forgetting = 1});
  // The base has learned nothing yet: it says the scores.
  test::calibrate(calibrator, {0.25, 0.5}, {1, 1});
  EXPECT_EQ(test::numbers(calibrator, "outputs"), std::vector<double>{0.75});
}

TEST(Histogram, FindsAMapThatIsNotMonotone) {
  Histogram calibrator({.bins = 20, .forgetting = 1, .shrinkage = 1, .base = Histogram::Base::raw});
  feed(calibrator, hill, 0, 20000);
  // Twice the 20/(2n) of a fit of 20 frequencies.
  EXPECT_LT(excess_loss(calibrator, hill), 20 / 20000.0);
}

TEST(Histogram, CorrectsItsBase) {
  Histogram calibrator({.forgetting = 1, .base_forgetting = 1});
  PlattNewton base({.forgetting = 1});
  feed(calibrator, stairs, 0, 20000);
  feed(base, stairs, 0, 20000);
  EXPECT_GT(excess_loss(base, stairs), 0.01);
  // What remains are the bins that a step cuts through.
  EXPECT_LT(excess_loss(calibrator, stairs), 0.5 * excess_loss(base, stairs));
}

TEST(Histogram, ForgettingFollowsAChange) {
  const auto valley = [](double z) { return 1 - hill(z); };
  Histogram::Params params{.shrinkage = 1, .base = Histogram::Base::raw};
  params.forgetting = 1;
  Histogram remembering(params);
  params.forgetting = 0.995;
  Histogram forgetting(params);
  for (Histogram* calibrator : {&remembering, &forgetting}) {
    feed(*calibrator, hill, 0, 20000);
    feed(*calibrator, valley, 20000, 22000);
  }
  // Twenty frequencies from a memory of 200 examples have an excess of 20/400.
  EXPECT_LT(excess_loss(forgetting, valley), 2 * 20 / 400.0);
  EXPECT_GT(excess_loss(remembering, valley), 0.5);
}

TEST(Histogram, RefusesMorePositivesThanExamples) {
  Histogram calibrator({.bins = 1});
  test::calibrate(calibrator, {0.5}, {1});
  for (const char* name : {"positives", "outputs"}) {
    Tensors tensors = save_state(calibrator);
    test::overwrite(test::tensor(tensors, name), 0, 1.5);
    EXPECT_THROW(load_state(calibrator, tensors), Error) << name;
  }
}

}  // namespace
}  // namespace plumbline::histogram_test
