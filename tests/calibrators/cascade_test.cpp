#include "plumbline/calibrators/cascade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plumbline/math/loss.h"
#include "tests/calibrators/support.h"

namespace plumbline::cascade_test {
namespace {

// A map that no sigmoid has: noise keeps it off 0 and 1, with a steep middle.
double noisy(double z) { return 0.1 + 0.8 * sigmoid(4 * z); }

TEST(Cascade, FindsAShapeThatASigmoidCannotHave) {
  Cascade cascade({}, 1);
  Mixture sigmoids({.members = Mixture::Members::stack}, 1);
  test::feed(cascade, noisy, 0, 20000);
  test::feed(sigmoids, noisy, 0, 20000);
  EXPECT_LT(test::excess_loss(cascade, noisy), 0.25 * test::excess_loss(sigmoids, noisy));
  // A memory of 1000 examples and some ten free parameters: 10/2000 at most.
  EXPECT_LT(test::excess_loss(cascade, noisy), 0.005);
}

TEST(Cascade, LosesLittleWhereASigmoidIsTheTruth) {
  const auto truth = [](double z) { return sigmoid(0.5 * z - 1); };
  Cascade cascade({}, 1);
  test::feed(cascade, truth, 0, 20000);
  EXPECT_LT(test::excess_loss(cascade, truth), 0.003);
}

// The bound of Hedge for each example as its own minibatch, and what it costs to learn the residual:
// 1/2 ln(1 + V/shrinkage) for each of 16 knots (Bayes' rule for a normal prior), V at most n/(4 16) on
// average.
TEST(Cascade, LosesLittleToItsFirstAverage) {
  Cascade cascade({.rate = 1, .share = 0}, 1);
  Mixture first({.members = Mixture::Members::stack, .rate = 1, .share = 0}, 1);
  double total = 0, total_of_first = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Rng rng(9, 0, i);
    const double z = test::draw_logit(rng), score = sigmoid(z);
    const Label label = rng.uniform() < sigmoid(2 * z) ? 1 : 0;
    total += log_loss(test::apply(cascade, score), label);
    total_of_first += log_loss(test::apply(first, score), label);
    for (Calibrator* one : {static_cast<Calibrator*>(&cascade), static_cast<Calibrator*>(&first)}) {
      test::calibrate(*one, {score}, {label});
    }
  }
  EXPECT_LE(total, total_of_first + std::log(4.0) + 8 * std::log(1 + 3000 / 64.0 / 10));
}

// The residual learns from what the others said, and has the last word.
TEST(Cascade, MendsWhatIsLeftByItsResidual) {
  Cascade cascade({}, 1), without({.residual = false}, 1);
  Residual residual({});
  for (std::uint64_t i = 0; i < 500; ++i) {
    Rng rng(10, 0, i);
    const double z = test::draw_logit(rng), score = sigmoid(z);
    const Label label = rng.uniform() < noisy(z) ? 1 : 0;
    test::calibrate(residual, {test::apply(without, score)}, {label});
    test::calibrate(without, {score}, {label});
    test::calibrate(cascade, {score}, {label});
  }
  double moved = 0;
  for (const double score : {0.05, 0.3, 0.5, 0.7, 0.95}) {
    const double before = test::apply(without, score), after = test::apply(cascade, score);
    EXPECT_NEAR(after, test::apply(residual, before), 1e-12) << score;
    moved = std::max(moved, std::abs(after - before));
  }
  EXPECT_GT(moved, 0.001);  // far above the tolerance
}

TEST(Cascade, NamesItsPartsAndHowMuchTheyCount) {
  Cascade cascade({}, 3);
  const auto parts = cascade.parts();
  ASSERT_EQ(parts.size(), 8u);
  EXPECT_EQ(parts[0].name, "raw");
  EXPECT_EQ(parts[1].name, "stack_fast");
  EXPECT_EQ(parts[4].name, "then_raw");
  double sum = 0;
  for (const auto& part : parts) sum += part.weight;
  EXPECT_NEAR(sum, 2, 1e-12);
}

}  // namespace
}  // namespace plumbline::cascade_test
