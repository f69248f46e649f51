#include "plumbline/decisions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"

namespace plumbline::prior_shift_test {
namespace {

// Saerens, Latinne & Decaestecker's formula as they write it.
double written_out(double p, double from, double to) {
  const double positive = to / from * p, negative = (1 - to) / (1 - from) * (1 - p);
  return positive / (positive + negative);
}

TEST(PriorShift, IsTheFormula) {
  for (const double p : {0.001, 0.3, 0.5, 0.99}) {
    for (const double to : {0.01, 0.5, 0.9}) {
      EXPECT_NEAR(scale_odds(p, odds_factor(0.3, to)), written_out(p, 0.3, to), 1e-15);
    }
  }
}

TEST(PriorShift, TakesThePriorToThePriorAndCertaintyNowhere) {
  const double factor = odds_factor(0.4, 0.02);
  EXPECT_NEAR(scale_odds(0.4, factor), 0.02, 1e-16);
  EXPECT_EQ(scale_odds(0, factor), 0);
  EXPECT_EQ(scale_odds(1, factor), 1);
  Rng rng(1, 0, 0);
  for (int i = 0; i < 1000; ++i) {
    const double p = rng.uniform();
    EXPECT_EQ(scale_odds(p, 1),
              p);  // bitwise: 1 - p is rounded by too little to be seen in a sum of 1
  }
}

TEST(PriorShift, IsUndoneByTheWayBack) {
  for (double p = 0; p <= 1; p += 0.01) {
    const double there = scale_odds(p, odds_factor(0.3, 0.01));
    EXPECT_NEAR(scale_odds(there, odds_factor(0.01, 0.3)), p, 1e-13);
  }
}

// Scores of two normal distributions, whose probabilities are known for every share of positives.
struct Population {
  double prior;
  double distance = 2;  // of the means

  double draw(Rng& rng) const {
    const double centre = rng.uniform() < prior ? distance : 0;
    return centre + rng.normal();
  }
  // That of a model which learned on another share of positives.
  double probability(double x, double learned) const {
    return sigmoid(distance * (x - distance / 2) + std::log(learned / (1 - learned)));
  }
};

std::vector<double> probabilities_of(const Population& population, double learned, int rows) {
  Rng rng(3, 0, 0);
  std::vector<double> probabilities;
  for (int i = 0; i < rows; ++i) {
    probabilities.push_back(population.probability(population.draw(rng), learned));
  }
  return probabilities;
}

TEST(PriorEstimator, FindsTheShareOfPositivesWithoutLabels) {
  constexpr int kRows = 50000;
  for (const double prior : {0.01, 0.2, 0.5, 0.95}) {
    PriorEstimator estimator(0.3);
    estimator.add(probabilities_of({prior}, 0.3, kRows));
    EXPECT_EQ(estimator.rows(), static_cast<std::uint64_t>(kRows));
    // Labels would give it to one standard error of a share; without them it is less sure: the
    // information of a row lies between 0 and that of a label, here above a quarter of it.
    const double error = 2 * std::sqrt(prior * (1 - prior) / kRows);
    EXPECT_NEAR(estimator.estimate(), prior, 5 * error) << prior;
  }
}

TEST(PriorEstimator, IsWhereTheStepsOfEmLead) {
  const std::vector<double> probabilities = probabilities_of({0.05}, 0.4, 3000);
  double prior = 0.4;
  for (int step = 0; step < 2000; ++step) {
    double sum = 0;
    for (const double p : probabilities) sum += scale_odds(p, odds_factor(0.4, prior));
    prior = sum / static_cast<double>(probabilities.size());
  }
  PriorEstimator estimator(0.4);
  for (const double p : probabilities) estimator.add({&p, 1});
  // A step is off by less than 4e-6 (see the header), and each undoes a share of its distance from
  // the end: here much more than a tenth.
  EXPECT_NEAR(estimator.estimate(), prior, 4e-5);
}

TEST(PriorEstimator, StaysInsideTheUnitInterval) {
  const std::vector<double> low(100, 0.0), high(100, 1.0), middle(100, 0.3);
  PriorEstimator none(0.3), all(0.3), same(0.3), before(0.3);
  none.add(low);
  all.add(high);
  same.add(middle);
  EXPECT_DOUBLE_EQ(none.estimate(), 0.5 / 100);
  EXPECT_DOUBLE_EQ(all.estimate(), 1 - 0.5 / 100);
  EXPECT_EQ(before.estimate(), 0.3);
  EXPECT_TRUE(same.estimate() > 0 && same.estimate() < 1);
}

}  // namespace
}  // namespace plumbline::prior_shift_test
