#include "plumbline/learners/sparse_logistic_adaptive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plumbline/math/implicit_step.h"
#include "plumbline/math/loss.h"
#include "tests/support.h"

namespace plumbline {
namespace {

const FeatureSpace kOneSparse(1, true);

// A row that has this feature alone.
Batch row_of(const Entry& entry) {
  static constexpr std::size_t kStarts[] = {0, 1};
  return {.rows = 1, .columns = 1, .entries = {&entry, 1}, .starts = kStarts};
}

double margin(const SparseLogisticAdaptive& learner, double x) {
  double result = 0;
  const Entry entry{0, x};
  learner.margins(row_of(entry), {&result, 1});
  return result;
}

void learn(SparseLogisticAdaptive& learner, double x, Label y, std::uint32_t feature = 0) {
  const Entry entry{feature, x};
  const double weight = 1;
  learner.learn_batch({row_of(entry), {&y, 1}}, {&weight, 1}, Weighting::importance);
}

// The formulas of the header, written out for a feature that every row has.
void expect_steps_of_formulas(double reach) {
  SparseLogisticAdaptive learner({.ridge = 2, .forgetting = 0.9, .clip = 1.5, .reach = reach},
                                 kOneSparse);
  double w = 0, b = 0, v = 0.5, vb = 10, squares = 0;
  std::vector<double> learned{0};
  const double values[] = {3, 1, -4, 1, 5, 90, 2};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    const Label y = i % 3 == 0;
    learn(learner, values[i], y);

    squares += values[i] * values[i];
    const double scale = std::sqrt(static_cast<double>(i + 1) / squares);
    learned.push_back(values[i] * scale);
    double mean = 0, variance = 0;
    const auto n = static_cast<double>(learned.size());
    for (const double z : learned) mean += z / n;
    for (const double z : learned) variance += (z - mean) * (z - mean) / n;
    const auto kept = [&](double x) {
      double z = x * scale;
      const double most = reach * std::sqrt(variance);
      if (reach > 0) z = std::clamp(z, mean - most, mean + most);
      return std::clamp(z, -1.5, 1.5);
    };
    const double z = kept(values[i]);
    v = std::min(v / 0.9, 0.5);
    vb = std::min(vb / 0.9, 10.0);
    const double m = implicit_margin(b + w * z, vb + v * z * z, y);
    const double r = y - sigmoid(m), c = sigmoid(m) * (1 - sigmoid(m));
    b += r * vb;
    w += r * v * z;
    vb /= 1 + c * vb;
    v /= 1 + c * v * z * z;

    for (const double x : {-50.0, 0.0, 2.5, 100.0}) {
      // Moments are summed in another order here.
      EXPECT_NEAR(margin(learner, x), b + w * kept(x), 1e-9) << i;
    }
  }
}

// The margin is corrected by what was learned from the margins at learning, and nothing else changes.
TEST(SparseLogisticAdaptive, LearnsItsLink) {
  SparseLogisticAdaptive plain({}, kOneSparse),
      linked({.link = LogisticAdaptive::Link::learned}, kOneSparse);
  Rng rng(1, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    const double x = rng.normal();
    const bool wrong = rng.uniform() < 0.2;
    learn(plain, x, static_cast<Label>((x > 0) != wrong));
    learn(linked, x, static_cast<Label>((x > 0) != wrong));
  }
  // One label of five is wrong: a line of logits is too low at first and then too high.
  double loss_of_plain = 0, loss_of_linked = 0;
  for (double x = -3; x < 3; x += 0.01) {
    for (const Label y : {Label{0}, Label{1}}) {
      const double share = (x > 0) == (y == 1) ? 0.8 : 0.2;
      loss_of_plain += share * log_loss(sigmoid(margin(plain, x)), y);
      loss_of_linked += share * log_loss(sigmoid(margin(linked, x)), y);
    }
  }
  const double least = 600 * (-0.8 * std::log(0.8) - 0.2 * std::log(0.2));
  EXPECT_LT(loss_of_linked - least, 0.6 * (loss_of_plain - least));
  Tensors states = save_state(linked);
  std::erase_if(states, [](const Tensor& tensor) { return tensor.name == "link"; });
  EXPECT_EQ(states, save_state(plain));
}

TEST(SparseLogisticAdaptive, TakesTheStepsOfItsFormulas) { expect_steps_of_formulas(0); }

TEST(SparseLogisticAdaptive, TakesTheStepsOfItsFormulasWithinReach) {
  for (const double reach : {0.5, 1.0, 10.0}) expect_steps_of_formulas(reach);
}

TEST(SparseLogisticAdaptive, AColumnThatCountsUpHasNoSayInOtherRowsWithinReach) {
  SparseLogisticAdaptive limited({.reach = 10}, kOneSparse), unlimited({}, kOneSparse);
  for (int i = 1; i <= 5000; ++i) {
    for (SparseLogisticAdaptive* learner : {&limited, &unlimited}) learn(*learner, i, i % 20 == 0);
  }
  const double rate = std::log(0.05 / 0.95);
  for (const double id : {1.0, 2500.0, 10000.0, 1e9}) {
    // The labels repeat, but the latest ones count a little more than earlier ones.
    EXPECT_NEAR(margin(limited, id), rate, 0.2) << id;
  }
  EXPECT_GT(margin(unlimited, 1), rate + 0.5);
}

TEST(SparseLogisticAdaptive, ResumesAndGrowsToTheSameBits) {
  const LogisticAdaptive::Params params{.reach = 2};
  const FeatureSpace two(2, true);
  SparseLogisticAdaptive wide(params, two), grown(params, kOneSparse);
  for (int i = 1; i <= 300; ++i) {
    if (i == 100) grown.grow(2);
    if (i == 200) {
      const Tensors state = save_state(grown);
      grown = SparseLogisticAdaptive(params, two);
      load_state(grown, state);
    }
    const std::uint32_t feature = i < 100 ? 0 : static_cast<std::uint32_t>(i % 2);
    for (SparseLogisticAdaptive* learner : {&wide, &grown}) {
      learn(*learner, i % 7, i % 5 == 0, feature);
    }
  }
  EXPECT_EQ(margin(grown, 3), margin(wide, 3));
  EXPECT_EQ(save_state(grown), save_state(wide));
}

}  // namespace
}  // namespace plumbline
