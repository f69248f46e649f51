#include "plumbline/calibrators/cascade.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/core/loss.h"
#include "tests/calibrators/support.h"

namespace plumbline {
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
}  // namespace plumbline
