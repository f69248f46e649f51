#include "plumbline/evaluation/cost_recorder.h"

#include <gtest/gtest.h>

#include "plumbline/decisions.h"
#include "plumbline/math/rng.h"

namespace plumbline::cost_recorder_test {
namespace {

TEST(CostRecorder, MeasuresDecisionsBesideThoseWithoutAModel) {
  CostRecorder recorder;
  EXPECT_TRUE(recorder.empty());
  EXPECT_EQ(recorder.cost(), 0);
  // Decided: yes (0.2 * 90 > 0.8 * 10), no, yes, no (0.6 * 2 < 0.4 * 10).
  const std::vector<double> probabilities{0.2, 0.1, 0.7, 0.6};
  const std::vector<Label> labels{1, 0, 0, 1};
  const std::vector<Costs> costs{{10, 90}, {10, 20}, {10, 50}, {10, 2}};
  recorder.add(std::span(probabilities).first(1), std::span(labels).first(1),
               std::span(costs).first(1));
  recorder.add(std::span(probabilities).subspan(1), std::span(labels).subspan(1),
               std::span(costs).subspan(1));
  EXPECT_DOUBLE_EQ(recorder.cost(), (0 + 0 + 10 + 2) / 4.0);
  EXPECT_DOUBLE_EQ(recorder.cost_of_always_no(), (90 + 2) / 4.0);
  EXPECT_DOUBLE_EQ(recorder.cost_of_always_yes(), (10 + 10) / 4.0);
  EXPECT_DOUBLE_EQ(recorder.cost_at_half(), (90 + 0 + 10 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(*recorder.savings(), 1 - 12.0 / 20);
  EXPECT_DOUBLE_EQ(*recorder.decisions().recall(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(*recorder.decisions().precision(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(*recorder.auc(), 2.0 / 4);
}

TEST(CostRecorder, HasNoSavingsWhereNothingCouldBeSaved) {
  CostRecorder recorder;
  const double probability = 0.9;
  const Label label = 1;
  const Costs costs;
  recorder.add({&probability, 1}, {&label, 1}, {&costs, 1});
  EXPECT_FALSE(recorder.savings().has_value());  // always yes costs nothing
  EXPECT_EQ(recorder.cost(), 0);
}

// A stream that kept a tenth of its negatives tells, but for chance, what the whole one costs.
TEST(CostRecorder, EstimatesTheWholeFromAStreamThatLeftNegativesOut) {
  constexpr double kKept = 0.1;
  CostRecorder whole, thinned(kKept);
  Rng rng(5, 0, 0);
  for (int i = 0; i < 200000; ++i) {
    const double u = rng.uniform();
    const double p = u * u * u;
    const Label label = rng.uniform() < p ? 1 : 0;
    const Costs costs{1, 20};
    whole.add({&p, 1}, {&label, 1}, {&costs, 1});
    if (label == 0 && rng.uniform() >= kKept) continue;
    // The probability that the label of a row which was kept is positive.
    const double among_kept = scale_odds(p, 1 / kKept);
    const Costs weighted{1 / kKept, 20};
    thinned.add({&among_kept, 1}, {&label, 1}, {&weighted, 1});
  }
  // About 15000 negatives are kept; what is counted of them varies by a few hundredths of itself.
  constexpr double kShare = 0.05;
  const auto expect_near = [](double a, double b) { EXPECT_NEAR(a, b, kShare * b); };
  expect_near(thinned.cost(), whole.cost());
  expect_near(thinned.cost_of_always_no(), whole.cost_of_always_no());
  expect_near(thinned.cost_of_always_yes(), whole.cost_of_always_yes());
  expect_near(thinned.cost_at_half(), whole.cost_at_half());
  expect_near(*thinned.decisions().precision(), *whole.decisions().precision());
  expect_near(*thinned.decisions().f1(), *whole.decisions().f1());
  EXPECT_EQ(thinned.decisions().recall(), whole.decisions().recall());  // no positive was left out
  expect_near(*thinned.auc(), *whole.auc());
}

}  // namespace
}  // namespace plumbline::cost_recorder_test
