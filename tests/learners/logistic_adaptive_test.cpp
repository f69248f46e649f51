#include "plumbline/learners/logistic_adaptive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plumbline/math/implicit_step.h"
#include "plumbline/math/loss.h"
#include "tests/support.h"

namespace plumbline::logistic_adaptive_test {
namespace {

using Params = LogisticAdaptive::Params;

double margin(const LogisticAdaptive& learner, std::initializer_list<double> x) {
  double result = 0;
  const std::vector<double> row(x);
  learner.margins({row, 1, row.size()}, {&result, 1});
  return result;
}

void learn(LogisticAdaptive& learner, const Minibatch& batch, double weight = 1) {
  learner.learn_batch(batch.examples(), std::vector<double>(batch.rows(), weight));
}

// The log-loss of each prediction, before it is learned from, on average.
double prequential_loss(LogisticAdaptive& learner, const Minibatch& data) {
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const Examples one = test::slice(data, i, i + 1);
    double said = 0;
    learner.margins(one.x, {&said, 1});
    sum += log_loss(sigmoid(said), one.y[0]);
    learner.learn_batch(one, std::vector<double>{1});
  }
  return sum / static_cast<double>(data.rows());
}

// The moments of some values, written out.
struct Moments {
  explicit Moments(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    for (const double value : values) mean += value / n;
    for (const double value : values) deviation += (value - mean) * (value - mean) / n;
    deviation = std::sqrt(deviation);
  }
  double standardized(double x) const { return deviation > 0 ? (x - mean) / deviation : 0; }

  double mean = 0, deviation = 0;
};

// The formulas of the header, written out for one feature.
void expect_steps_of_formulas(double reach) {
  LogisticAdaptive learner({.ridge = 2, .forgetting = 0.9, .clip = 1.5, .reach = reach}, 1);
  double w = 0, b = 0, v = 0.5, vb = 10;
  std::vector<double> seen, learned;
  const double values[] = {3, 1, 4, 1, 5, 90, 2};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    const Label y = i % 3 == 0;
    learn(learner, test::rows({{{values[i]}, y}}), 0.7);

    seen.push_back(values[i]);
    const Moments moments(seen);
    learned.push_back(moments.standardized(values[i]));
    const Moments known(learned);
    const auto kept = [&](double x) {
      double z = moments.standardized(x);
      if (reach > 0) {
        const double most = reach * known.deviation;
        z = std::clamp(z, known.mean - most, known.mean + most);
      }
      return std::clamp(z, -1.5, 1.5);
    };
    const double z = kept(values[i]);
    v = std::min(v / 0.9, 0.5);
    vb = std::min(vb / 0.9, 10.0);
    const double m = implicit_margin(b + w * z, 0.7 * (vb + v * z * z), y);
    const double r = 0.7 * (y - sigmoid(m)), c = 0.7 * sigmoid(m) * (1 - sigmoid(m));
    b += r * vb;
    w += r * v * z;
    vb /= 1 + c * vb;
    v /= 1 + c * v * z * z;

    for (const double x : {-50.0, 0.0, 2.5, 100.0}) {
      // Moments are summed in another order here.
      EXPECT_NEAR(margin(learner, {x}), b + w * kept(x), 1e-9) << i;
    }
  }
}

// The margin is corrected by what was learned from the margins at learning, and nothing else changes.
TEST(LogisticAdaptive, LearnsItsLink) {
  LogisticAdaptive plain({}, 1), linked({.link = LogisticAdaptive::Link::learned}, 1);
  Rng rng(1, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    const double x = rng.normal();
    const bool wrong = rng.uniform() < 0.2;
    const Minibatch row = test::rows({{{x}, (x > 0) != wrong}});
    learn(plain, row);
    learn(linked, row);
  }
  // One label of five is wrong: a line of logits is too low at first and then too high.
  double loss_of_plain = 0, loss_of_linked = 0;
  for (double x = -3; x < 3; x += 0.01) {
    for (const Label y : {Label{0}, Label{1}}) {
      const double share = (x > 0) == (y == 1) ? 0.8 : 0.2;
      loss_of_plain += share * log_loss(sigmoid(margin(plain, {x})), y);
      loss_of_linked += share * log_loss(sigmoid(margin(linked, {x})), y);
    }
  }
  const double least = 600 * (-0.8 * std::log(0.8) - 0.2 * std::log(0.2));
  EXPECT_LT(loss_of_linked - least, 0.6 * (loss_of_plain - least));
  Tensors states = save_state(linked);
  std::erase_if(states, [](const Tensor& tensor) { return tensor.name == "link"; });
  EXPECT_EQ(states, save_state(plain));
}

TEST(LogisticAdaptive, TakesTheStepsOfItsFormulas) { expect_steps_of_formulas(0); }

TEST(LogisticAdaptive, TakesTheStepsOfItsFormulasWithinReach) {
  for (const double reach : {0.5, 1.0, 10.0}) expect_steps_of_formulas(reach);
}

// While it is learned, the last number is always as many deviations above the mean.
TEST(LogisticAdaptive, AColumnThatCountsUpHasNoSayInOtherRowsWithinReach) {
  LogisticAdaptive limited({.reach = 10}, 1), unlimited({}, 1);
  for (int i = 1; i <= 5000; ++i) {
    const Minibatch row = test::rows({{{static_cast<double>(i)}, i % 20 == 0}});
    for (LogisticAdaptive* learner : {&limited, &unlimited}) learn(*learner, row);
  }
  const double rate = std::log(0.05 / 0.95);
  for (const double id : {-1e9, 1.0, 2500.0, 10000.0, 1e9}) {
    // The labels repeat, but the latest ones count a little more than earlier ones.
    EXPECT_NEAR(margin(limited, {id}), rate, 0.2) << id;
  }
  EXPECT_GT(margin(unlimited, {1}), rate + 0.5);
}

TEST(LogisticAdaptive, DoesNotCareForScaleOrOrigin) {
  const Minibatch data = test::waveform(500);
  Minibatch other = data;
  for (std::size_t i = 0; i < other.rows(); ++i) {
    const auto row = other.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      // Powers of two change no digit.
      row[j] = std::ldexp(row[j], static_cast<int>(3 * j) - 30);
    }
  }
  LogisticAdaptive first({}, 21), second({}, 21);
  EXPECT_EQ(prequential_loss(first, data), prequential_loss(second, other));

  for (std::size_t i = 0; i < other.rows(); ++i) {
    for (double& value : other.row(i)) value += 1000;
  }
  LogisticAdaptive shifted({}, 21);
  Minibatch moved = data;
  for (std::size_t i = 0; i < moved.rows(); ++i) {
    for (double& value : moved.row(i)) value += 1000;
  }
  LogisticAdaptive again({}, 21);
  // Digits are lost to the shift.
  EXPECT_NEAR(prequential_loss(shifted, moved), prequential_loss(again, data), 1e-6);
}

TEST(LogisticAdaptive, FindsATrueModel) {
  LogisticAdaptive learner({.forgetting = 1}, 2);
  Minibatch data(2);
  Rng rng(4, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const double a = rng.normal(), b = 10 * rng.normal() + 5;
    const Label y = rng.uniform() < sigmoid(2 * a - 0.1 * b + 0.5) ? 1 : 0;
    const auto x = data.add(y);
    x[0] = a;
    x[1] = b;
  }
  learn(learner, data);
  for (const double a : {-1.0, 0.0, 1.0}) {
    for (const double b : {-5.0, 5.0, 15.0}) {
      // Weights have a standard error of about 0.02 for 20,000 examples; the variances are taken as
      // independent, which costs some more.
      EXPECT_NEAR(margin(learner, {a, b}), 2 * a - 0.1 * b + 0.5, 0.2) << a << " " << b;
    }
  }
}

TEST(LogisticAdaptive, ForgettingFollowsAChange) {
  const Minibatch before = test::generate("sea:concept=1,noise=0", 4000);
  Minibatch after = before;
  for (std::size_t i = 0; i < after.rows(); ++i) {
    for (double& value : after.row(i)) value = 10 - value;  // what was high is low
  }
  LogisticAdaptive remembering({.forgetting = 1}, 3), forgetting({.forgetting = 0.99}, 3);
  for (LogisticAdaptive* learner : {&remembering, &forgetting}) learn(*learner, before);
  EXPECT_LT(prequential_loss(forgetting, after), 0.5 * prequential_loss(remembering, after));
}

TEST(LogisticAdaptive, CountsExamplesOfWeightZeroButDoesNotLearnThem) {
  LogisticAdaptive learner({}, 1);
  learn(learner, test::rows({{{1}, 1}, {{3}, 0}}), 0);
  EXPECT_EQ(margin(learner, {1}), 0);
  const Tensors state = save_state(learner);
  EXPECT_EQ(state[0].name, "count");
  double count = 0;
  std::memcpy(&count, state[0].bytes.data(), sizeof count);
  EXPECT_EQ(count, 2);
}

TEST(LogisticAdaptive, NeverGoesBeyondTheLabelHoweverLargeTheWeight) {
  LogisticAdaptive learner({}, 1);
  learn(learner, test::rows({{{0}, 0}, {{1}, 1}, {{2}, 1}}));
  learn(learner, test::rows({{{1.5}, 1}}), 1e6);
  const double m = margin(learner, {1.5});
  // 10^6 times the same label: about ln(10^6) in favour, not 10^6 steps.
  EXPECT_GT(m, 5);
  EXPECT_LT(m, 20);
}

TEST(LogisticAdaptive, IgnoresAConstantFeature) {
  LogisticAdaptive with({}, 2), without({}, 1);
  for (int i = 0; i < 50; ++i) {
    const double x = i % 7;
    const Label y = i % 7 > 3;
    learn(with, test::rows({{{x, 42}, y}}));
    learn(without, test::rows({{{x}, y}}));
  }
  EXPECT_EQ(margin(with, {2, 42}), margin(without, {2}));
  EXPECT_EQ(margin(with, {2, 1e6}), margin(without, {2}));
}

}  // namespace
}  // namespace plumbline::logistic_adaptive_test
