#include "plumbline/decisions.h"

#include <gtest/gtest.h>

#include "plumbline/math/rng.h"

namespace plumbline::decision_test {
namespace {

TEST(Decision, IsPositiveWhereAMissWouldCostMoreThanAFalseAlarm) {
  const Costs costs{.false_positive = 1, .false_negative = 4};
  EXPECT_TRUE(decide(0.21, costs));
  EXPECT_FALSE(decide(0.19, costs));
  EXPECT_EQ(decision_cost(0.21, 0, costs), 1);
  EXPECT_EQ(decision_cost(0.19, 1, costs), 4);
  EXPECT_EQ(decision_cost(0.21, 1, costs), 0);
  EXPECT_EQ(decision_cost(0.19, 0, costs), 0);
}

TEST(Decision, ATieIsNegative) {
  EXPECT_FALSE(decide(0.5, Costs{}));
  EXPECT_FALSE(decide(0.25, {1, 3}));
  EXPECT_FALSE(decide(0.9, {0, 0}));
}

TEST(Decision, ACostOfNothingDecidesWhateverIsPossible) {
  EXPECT_TRUE(decide(1e-300, {0, 1}));
  EXPECT_FALSE(decide(0, {0, 1}));
  EXPECT_FALSE(decide(1 - 1e-16, {1, 0}));
}

TEST(Decision, HasTheLowestExpectedCostOfAllThresholds) {
  for (const Costs costs : {Costs{1, 1}, Costs{1, 20}, Costs{7, 2}}) {
    // Exact expectations over a grid of calibrated probabilities.
    const auto expected = [&](const auto& says_yes) {
      double sum = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double p = i / 1000.0;
        const bool yes = says_yes(p);
        sum += p * cost_of(yes, 1, costs) + (1 - p) * cost_of(yes, 0, costs);
      }
      return sum;
    };
    const double best = expected([&](double p) { return decide(p, costs); });
    for (int t = 0; t <= 100; ++t) {
      // The same terms in the same order, but for those that another decision makes larger.
      EXPECT_LE(best, expected([&](double p) { return p > t / 100.0; })) << t;
    }
  }
}

TEST(Confusion, HasTheUsualRates) {
  Confusion counts;
  for (int i = 0; i < 6; ++i) counts.add(true, 1);
  for (int i = 0; i < 2; ++i) counts.add(false, 1);
  for (int i = 0; i < 4; ++i) counts.add(true, 0);
  for (int i = 0; i < 12; ++i) counts.add(false, 0);
  EXPECT_EQ(counts.total(), 24);
  EXPECT_DOUBLE_EQ(*counts.recall(), 6.0 / 8);
  EXPECT_DOUBLE_EQ(*counts.precision(), 6.0 / 10);
  EXPECT_DOUBLE_EQ(*counts.f1(), 12.0 / 18);
  EXPECT_DOUBLE_EQ(*counts.balanced_accuracy(), (0.75 + 0.75) / 2);
  counts.add(true, 0, 10);
  EXPECT_DOUBLE_EQ(*counts.precision(), 6.0 / 20);
  counts.add(true, 0, -10);
  EXPECT_DOUBLE_EQ(*counts.precision(), 6.0 / 10);
}

TEST(Confusion, HasNoRateWithoutADivisor) {
  const Confusion nothing;
  EXPECT_FALSE(nothing.recall() || nothing.precision() || nothing.f1() ||
               nothing.balanced_accuracy());
}

}  // namespace
}  // namespace plumbline::decision_test
