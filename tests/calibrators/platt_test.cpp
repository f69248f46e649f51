#include "plumbline/calibrators/platt.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/bfgs.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"

// Equality with scipy's optimum is tested in tests/oracle.

namespace plumbline::platt_test {
namespace {

double apply(const Platt& platt, double score) {
  double probability = 0;
  platt.apply({&score, 1}, {&probability, 1});
  return probability;
}

void calibrate(Platt& platt, const std::vector<double>& scores, const std::vector<Label>& labels) {
  platt.observe(labels);
  platt.calibrate(scores, labels);
}

TEST(Platt, PassesTheRawScoreThroughBeforeTheFirstFit) {
  Platt platt({});
  const std::vector<Label> labels{1, 1, 0};
  platt.observe(labels);
  for (const double score : {0.0, 0.3, 1.0}) EXPECT_EQ(apply(platt, score), score);
}

TEST(Platt, UsesThePriorCorrectedTargets) {
  Platt platt({});
  // Two scores, each with one label: the sigmoid can hit both targets exactly.
  calibrate(platt, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1});
  EXPECT_NEAR(apply(platt, 1), 3.0 / 4, 1e-7);  // (N+ + 1)/(N+ + 2)
  EXPECT_NEAR(apply(platt, 0), 1.0 / 5, 1e-7);  // 1/(N- + 2)
}

TEST(Platt, CountsTheLabelsOfMinibatchesThatItDidNotLearnFrom) {
  Platt platt({});
  platt.observe(std::vector<Label>{1, 1, 1, 1, 0});
  calibrate(platt, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1});
  EXPECT_NEAR(apply(platt, 1), 7.0 / 8, 1e-7);
  EXPECT_NEAR(apply(platt, 0), 1.0 / 6, 1e-7);
}

TEST(Platt, FitsTheLastMinibatchAndForgetsTheOnesBefore) {
  Platt warm({}), fresh({});
  calibrate(warm, {0.1, 0.9, 0.4, 0.6}, {1, 0, 1, 0});
  calibrate(warm, {0.2, 0.8, 0.3, 0.5}, {0, 1, 0, 1});
  fresh.observe(std::vector<Label>{1, 0, 1, 0});
  calibrate(fresh, {0.2, 0.8, 0.3, 0.5}, {0, 1, 0, 1});
  for (const double score : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(apply(warm, score), apply(fresh, score), 1e-6);
  }
}

TEST(Platt, OneStepFromTheWarmStartIsNotConvergence) {
  Platt one({.bfgs_steps = 1}), all({});
  for (Platt* platt : {&one, &all}) calibrate(*platt, {0.1, 0.2, 0.3, 0.9}, {0, 0, 1, 1});
  EXPECT_GT(std::abs(apply(one, 0.9) - apply(all, 0.9)), 0.01);
}

TEST(Platt, RecoversASigmoidFromManyExamples) {
  Platt platt({});
  Rng rng(1, 0, 0);
  std::vector<double> scores;
  std::vector<Label> labels;
  for (int i = 0; i < 200000; ++i) {
    scores.push_back(rng.uniform());
    labels.push_back(rng.uniform() < sigmoid(4 * scores.back() - 1.5) ? 1 : 0);
  }
  calibrate(platt, scores, labels);
  // Standard errors of a fit to 200,000 examples are below 0.003 here; four of them.
  for (const double score : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(apply(platt, score), sigmoid(4 * score - 1.5), 0.012);
  }
}

TEST(Platt, StaysFiniteOnDegenerateMinibatches) {
  Platt platt({});
  calibrate(platt, {0.5}, {1});
  calibrate(platt, {0.5, 0.5, 0.5}, {0, 1, 0});
  calibrate(platt, {0, 0, 0}, {0, 0, 0});
  calibrate(platt, {1, 1 - 1e-16, 1 - 2e-16}, {0, 1, 0});
  calibrate(platt, {0.5, 0.5 + 1e-12}, {0, 1});
  for (const double score : {0.0, 0.5, 1.0}) {
    EXPECT_GE(apply(platt, score), 0);
    EXPECT_LE(apply(platt, score), 1);
  }
}

TEST(Bfgs, FindsTheMinimumOfAnIllConditionedBowl) {
  const auto bowl = [](const Vector2& w) {
    const double a = w[0] - 3, b = w[1] + 2;
    return ValueAndGradient{a * a + 1000 * b * b, {2 * a, 2000 * b}};
  };
  const Vector2 minimum = minimise_bfgs(bowl, {0, 0}, 200);
  EXPECT_NEAR(minimum[0], 3, 1e-8);
  EXPECT_NEAR(minimum[1], -2, 1e-8);
}

TEST(Bfgs, TheFirstStepIsTriedAtLengthOneAtMost) {
  const auto steep = [](const Vector2& w) {
    return ValueAndGradient{50 * (w[0] - 10) * (w[0] - 10) + 50 * w[1] * w[1],
                            {100 * (w[0] - 10), 100 * w[1]}};
  };
  EXPECT_NEAR(minimise_bfgs(steep, {0, 0}, 1)[0], 1, 1e-12);
  EXPECT_NEAR(minimise_bfgs(steep, {9.9999, 0}, 200)[0], 10, 1e-9);
}

TEST(Bfgs, TakesNoMoreStepsThanAllowed) {
  int calls = 0;
  const auto slope = [&](const Vector2& w) {
    ++calls;
    return ValueAndGradient{std::exp(-w[0]), {-std::exp(-w[0]), 0}};
  };
  minimise_bfgs(slope, {0, 0}, 0);
  EXPECT_EQ(calls, 1);
  const Vector2 end =
      minimise_bfgs(slope, {0, 0}, 200);  // no minimum: it must come back all the same
  EXPECT_GT(end[0], 10);
}

}  // namespace
}  // namespace plumbline::platt_test
