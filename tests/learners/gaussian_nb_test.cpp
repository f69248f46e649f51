#include "plumbline/learners/gaussian_nb.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support.h"

// Equality with scikit-learn is tested in tests/oracle.

namespace plumbline::gaussian_nb_test {
namespace {

double margin(const GaussianNb& learner, std::initializer_list<double> x) {
  double result = 0;
  const std::vector<double> row(x);
  learner.margins({row, 1, row.size()}, {&result, 1});
  return result;
}

void learn(GaussianNb& learner, const Minibatch& batch, const std::vector<double>& weights) {
  std::vector<Label> votes(batch.rows());
  learner.learn_each(batch.examples(), weights, {}, votes);
}

double log_density(double x, double mean, double variance) {
  return -0.5 * (std::log(2 * M_PI * variance) + (x - mean) * (x - mean) / variance);
}

TEST(GaussianNb, MarginIsTheLogOddsOfTheTwoNormals) {
  GaussianNb learner({}, 1);
  learn(learner, test::rows({{{0}, 0}, {{2}, 0}, {{3}, 1}, {{5}, 1}, {{7}, 1}}), {1, 1, 1, 1, 1});
  // Class 0: mean 1, variance 1; class 1: mean 5, variance 8/3; priors 2/5 and 3/5.
  const double expected = std::log(1.5) + log_density(2.5, 5, 8.0 / 3) - log_density(2.5, 1, 1);
  EXPECT_NEAR(margin(learner, {2.5}), expected, 1e-12);
}

TEST(GaussianNb, KUpdatesEqualOneUpdateOfWeightK) {
  const Minibatch data = test::waveform(40);
  GaussianNb weighted({}, data.features().columns), repeated({}, data.features().columns);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const Examples example = test::slice(data, i, i + 1);
    const double weight = static_cast<double>(i % 4), one = 1;
    Label vote = 0;
    weighted.learn_each(example, {&weight, 1}, {}, {&vote, 1});
    for (std::size_t k = 0; k < i % 4; ++k) repeated.learn_each(example, {&one, 1}, {}, {&vote, 1});
  }
  std::vector<double> a(data.rows()), b(data.rows());
  weighted.margins(data.features(), a);
  repeated.margins(data.features(), b);
  // The same sums in another order: a few hundred roundings.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(a[i])));
}

TEST(GaussianNb, WeightZeroChangesNothing) {
  const Minibatch data = test::waveform(20);
  GaussianNb learner({}, data.features().columns);
  learn(learner, data, std::vector<double>(20, 1.0));
  const Tensors before = save_state(learner);
  learn(learner, data, std::vector<double>(20, 0.0));
  EXPECT_EQ(save_state(learner), before);
}

TEST(GaussianNb, BeforeAnyLearningTheMarginIsZero) {
  EXPECT_EQ(margin(GaussianNb({}, 2), {1, 2}), 0);
}

TEST(GaussianNb, AnUnseenClassLosesToTheSeenOne) {
  GaussianNb learner({}, 1);
  learn(learner, test::rows({{{1}, 1}}), {1});
  EXPECT_GT(margin(learner, {-100}), 0);
  GaussianNb other({}, 1);
  learn(other, test::rows({{{1}, 0}}), {1});
  EXPECT_LT(margin(other, {-100}), 0);
}

TEST(GaussianNb, TheVarianceFloorStandsInForAVarianceOfZero) {
  GaussianNb learner({.variance_floor = 0.25}, 1);
  learn(learner, test::rows({{{0}, 0}, {{1}, 1}}), {1, 1});
  EXPECT_NEAR(margin(learner, {0.75}), log_density(0.75, 1, 0.25) - log_density(0.75, 0, 0.25),
              1e-12);
}

TEST(GaussianNb, TheRelativeFloorIsAShareOfTheFeaturesOwnVariance) {
  GaussianNb learner({.relative_floor = 0.5}, 1);
  learn(learner, test::rows({{{0}, 0}, {{2}, 1}}), {1, 1});
  // Over both classes the mean is 1 and the variance 1, so the floor is 0.5.
  EXPECT_NEAR(margin(learner, {1.5}), log_density(1.5, 2, 0.5) - log_density(1.5, 0, 0.5), 1e-12);
}

TEST(GaussianNb, TheLargerOfTheTwoFloorsCounts) {
  GaussianNb learner({.variance_floor = 0.25, .relative_floor = 0.1}, 1);
  learn(learner, test::rows({{{0}, 0}, {{1}, 1}}), {1, 1});
  // Over both classes the variance is 0.25, so the relative floor is 0.025.
  EXPECT_NEAR(margin(learner, {0.75}), log_density(0.75, 1, 0.25) - log_density(0.75, 0, 0.25),
              1e-12);
}

TEST(GaussianNb, ALargeOffsetDoesNotCostPrecision) {
  GaussianNb near({}, 1), far({}, 1);
  const double offset = 1e9;
  for (int i = 0; i < 1000; ++i) {
    const double x = (i % 7) + (i % 2) * 2;
    const Label y = i % 2 ? 1 : 0;
    learn(near, test::rows({{{x}, y}}), {1});
    learn(far, test::rows({{{x + offset}, y}}), {1});
  }
  // The textbook formula sum(x^2) - n mean^2 would have lost all digits of the variance; the
  // inputs themselves are known to 1e-16 * 1e9.
  EXPECT_NEAR(margin(far, {3 + offset}), margin(near, {3}), 1e-5);
}

TEST(GaussianNb, VotesAreTakenAfterOrBeforeTheUpdate) {
  const Minibatch batch = test::rows({{{0}, 0}, {{1}, 1}});
  const std::vector<double> weights{1, 1};
  std::vector<Label> votes(2);
  GaussianNb after({}, 1), before({}, 1);
  after.learn_each(batch.examples(), weights, {.correctness = Correctness::after_update}, votes);
  EXPECT_EQ(votes, (std::vector<Label>{0, 1}));
  before.learn_each(batch.examples(), weights, {.correctness = Correctness::before_update}, votes);
  EXPECT_EQ(votes, (std::vector<Label>{0, 0}));  // only class 0 was known
  EXPECT_EQ(save_state(after), save_state(before));
}

TEST(GaussianNb, LearnBatchEqualsLearnEachWithoutSmoothing) {
  const Minibatch data = test::waveform(60);
  const std::size_t columns = data.features().columns;
  GaussianNb whole({.var_smoothing = 0}, columns), each({}, columns);
  std::vector<double> weights(60);
  for (std::size_t i = 0; i < 60; ++i) weights[i] = 0.5 + static_cast<double>(i % 5);
  whole.learn_batch(test::slice(data, 0, 25), std::span(weights).first(25));
  whole.learn_batch(test::slice(data, 25, 60), std::span(weights).subspan(25));
  learn(each, data, weights);
  std::vector<double> a(60), b(60);
  whole.margins(data.features(), a);
  each.margins(data.features(), b);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(a[i])));
}

}  // namespace
}  // namespace plumbline::gaussian_nb_test
