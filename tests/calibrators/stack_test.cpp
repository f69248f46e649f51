#include "plumbline/calibrators/stack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "tests/calibrators/support.h"

namespace plumbline::stack_test {
namespace {

// One example with two scores.
void feed(Calibrator& calibrator, double first, double second, Label label) {
  const double scores[] = {first, second};
  calibrator.calibrate({scores, 1}, {&label, 1});
}

double apply(const Calibrator& calibrator, double first, double second) {
  const double scores[] = {first, second};
  double probability = 0;
  calibrator.apply({scores, 1}, {&probability, 1});
  return probability;
}

TEST(Stack, FindsOutWhatEachScoreKnows) {
  Stack stack({.forgetting = 1}, 2);
  for (std::uint64_t i = 0; i < 30000; ++i) {
    Rng rng(3, 0, i);
    const double a = rng.normal(), b = rng.normal();
    feed(stack, sigmoid(a), sigmoid(b), rng.uniform() < sigmoid(2 * a - 0.5 * b + 1) ? 1 : 0);
  }
  for (const double a : {-1.0, 0.0, 1.0}) {
    for (const double b : {-1.0, 0.0, 1.0}) {
      // The standard error of p is at most about 0.005 with 30,000 examples: five of them.
      EXPECT_NEAR(apply(stack, sigmoid(a), sigmoid(b)), sigmoid(2 * a - 0.5 * b + 1), 0.025);
    }
  }
}

TEST(Stack, BeginsWithTheGeometricMeanOfTheOdds) {
  Stack stack({.ridge = 1e6}, 2);
  EXPECT_EQ(apply(stack, 0.9, 0.2), 0.9);  // before the first calibration: the first score
  feed(stack, 0.5, 0.5, 1);
  // A ridge of a million holds it there.
  EXPECT_NEAR(apply(stack, 0.9, 0.2), sigmoid(0.5 * std::log(9.0) + 0.5 * std::log(0.25)), 1e-5);
}

TEST(Stack, ReadsAsManyScoresAsItCan) {
  const std::size_t columns = Stack::kMaxColumns + 3;
  Stack stack({}, columns);
  const std::vector<double> scores(columns, 0.7);
  const Label label = 1;
  stack.calibrate({scores, 1}, {&label, 1});
  double probability = 0;
  stack.apply({scores, 1}, {&probability, 1});
  EXPECT_GT(probability, 0.7);
  EXPECT_LT(probability, 1);
}

}  // namespace
}  // namespace plumbline::stack_test
