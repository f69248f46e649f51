#include "plumbline/learners/gaussian_observers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support.h"

namespace plumbline::gaussian_observers_test {
namespace {

GaussianObservers observers_of(const Minibatch& data, double weight = 1) {
  GaussianObservers observers(data.columns());
  observers.allocate(1);
  const Examples examples = data.examples();
  for (std::size_t i = 0; i < data.rows(); ++i) {
    observers.update(0, examples.x.row(i), examples.y[i], weight);
  }
  return observers;
}

double log_ratio(const GaussianObservers& observers, std::initializer_list<double> x) {
  return observers.log_ratio(0, std::vector<double>(x));
}

double log_density(double x, double mean, double variance) {
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + (x - mean) * (x - mean) / variance);
}

TEST(GaussianObservers, LogRatioIsThatOfTheTwoNormals) {
  const auto observers =
      observers_of(test::rows({{{0}, 0}, {{2}, 0}, {{3}, 1}, {{5}, 1}, {{7}, 1}}));
  // Class 0: mean 1, variance 2; class 1: mean 5, variance 4.
  EXPECT_NEAR(log_ratio(observers, {2.5}), log_density(2.5, 5, 4) - log_density(2.5, 1, 2), 1e-12);
}

TEST(GaussianObservers, AFeatureCountsOnceItVariesWithinBothClasses) {
  auto observers = observers_of(test::rows({{{0, 3}, 0}, {{2, 3}, 0}, {{3, 4}, 1}, {{5, 6}, 1}}));
  const double of_first = log_density(1, 4, 2) - log_density(1, 1, 2);
  EXPECT_NEAR(log_ratio(observers, {1, 5}), of_first, 1e-12);
  observers.update(0, std::vector<double>{1, 9}, 0, 1);  // both means stay, the variances change
  const double both =
      log_density(1, 4, 2) - log_density(1, 1, 1) + log_density(5, 5, 2) - log_density(5, 5, 12);
  EXPECT_NEAR(log_ratio(observers, {1, 5}), both, 1e-12);
}

TEST(GaussianObservers, LogRatioIsZeroWhileAClassHasNoVariance) {
  EXPECT_EQ(log_ratio(observers_of(test::rows({{{0}, 0}, {{2}, 0}, {{3}, 1}})), {1}), 0);
  EXPECT_EQ(log_ratio(observers_of(test::rows({{{0}, 0}, {{2}, 0}, {{3}, 1}, {{3}, 1}})), {1}), 0);
}

TEST(GaussianObservers, ManyFeaturesNeitherOverflowNorLoseDigits) {
  // 5000 equal features: mantissas are multiplied in blocks, and the last block is not full.
  Minibatch data(5003);
  for (int i = 0; i < 12; ++i) {
    for (double& x : data.add(i % 2 == 0)) x = i * (i % 2 == 0 ? 1e40 : 3e-40);
  }
  Minibatch narrow(1);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    narrow.add(data.examples().y[i])[0] = data.row(i)[0];
  }
  const double one = observers_of(narrow).log_ratio(0, narrow.row(2));
  EXPECT_NEAR(observers_of(data).log_ratio(0, data.row(2)), 5003 * one,
              1e-9 * std::abs(5003 * one));
}

// The textbook definition, with the functions of the standard library.
struct Reference {
  double weight[2]{}, mean[2]{}, deviation[2]{}, low[2]{}, high[2]{};

  Reference(const Minibatch& data, std::size_t j) {
    const Examples examples = data.examples();
    for (int c = 0; c < 2; ++c) {
      std::vector<double> x;
      for (std::size_t i = 0; i < data.rows(); ++i) {
        if (examples.y[i] == c) x.push_back(examples.x.row(i)[j]);
      }
      weight[c] = static_cast<double>(x.size());
      for (const double value : x) mean[c] += value / weight[c];
      for (const double value : x) {
        deviation[c] += (value - mean[c]) * (value - mean[c]) / (weight[c] - 1);
      }
      deviation[c] = std::sqrt(deviation[c]);
      low[c] = *std::ranges::min_element(x);
      high[c] = *std::ranges::max_element(x);
    }
  }

  static double entropy(double a, double b) {
    const auto part = [&](double x) { return x > 0 ? -x / (a + b) * std::log2(x / (a + b)) : 0; };
    return part(a) + part(b);
  }

  // The gain at a threshold, or 0 if a branch is too small.
  double gain(double threshold) const {
    double left[2];
    for (int c = 0; c < 2; ++c) {
      const double z = (threshold - mean[c]) / deviation[c];
      left[c] = threshold < low[c]     ? 0
                : threshold >= high[c] ? weight[c]
                                       : weight[c] * 0.5 * std::erfc(-z / std::numbers::sqrt2);
    }
    const double total = weight[0] + weight[1], share = (left[0] + left[1]) / total;
    if (share <= 0.01 || share >= 0.99) return 0;
    return entropy(weight[0], weight[1]) - share * entropy(left[0], left[1]) -
           (1 - share) * entropy(weight[0] - left[0], weight[1] - left[1]);
  }

  std::pair<double, double> best() const {
    const double least = std::min(low[0], low[1]), most = std::max(high[0], high[1]);
    std::pair<double, double> best{0, 0};
    for (int i = 1; i <= 10; ++i) {
      const double threshold = least + (most - least) / 11 * i;
      if (gain(threshold) > best.first) best = {gain(threshold), threshold};
    }
    return best;
  }
};

TEST(GaussianObservers, BestSplitIsThatOfTheTextbook) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Minibatch data = test::waveform(60 + 20 * seed, seed);
    const auto split = observers_of(data).best_split(0);
    ASSERT_TRUE(split);
    std::vector<double> gains;
    for (std::size_t j = 0; j < data.columns(); ++j) {
      gains.push_back(Reference(data, j).best().first);
    }
    const auto [gain, threshold] = Reference(data, split->feature).best();
    EXPECT_EQ(gain, *std::ranges::max_element(gains));
    EXPECT_NEAR(split->threshold, threshold, 1e-12);
    EXPECT_NEAR(split->gain, gain, 1e-12);
    std::ranges::sort(gains);
    EXPECT_NEAR(split->runner_up, gains[gains.size() - 2], 1e-12);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(split->left[c] + split->right[c], Reference(data, 0).weight[c], 1e-9);
    }
  }
}

TEST(GaussianObservers, ASplitWithoutGainIsNone) {
  EXPECT_FALSE(observers_of(test::rows({{{7}, 0}, {{7}, 1}, {{7}, 0}, {{7}, 1}})).best_split(0));
}

TEST(GaussianObservers, ATinyBranchIsNoSplit) {
  Minibatch data(1);
  for (int i = 0; i < 1000; ++i) data.add(0)[0] = 0;
  for (int i = 0; i < 10; ++i) data.add(1)[0] = 1 + i;  // 1 % of the weight lies to the right
  EXPECT_FALSE(observers_of(data).best_split(0));
  for (int i = 0; i < 10; ++i) data.add(1)[0] = 1 + i;
  EXPECT_TRUE(observers_of(data).best_split(0));
}

TEST(GaussianObservers, OfEqualFeaturesTheLastOneWins) {
  Minibatch data(3);
  for (int i = 0; i < 100; ++i) {
    const auto x = data.add(i % 2 == 1);
    x[0] = x[2] = i % 2 * 3 + i % 5;
    x[1] = i % 7;
  }
  const auto split = observers_of(data).best_split(0);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->feature, 2u);
  EXPECT_EQ(split->runner_up, split->gain);
}

TEST(GaussianObservers, WithOneUsableFeatureTheRunnerUpIsNoSplit) {
  Minibatch data(2);
  for (int i = 0; i < 100; ++i) data.add(i % 2 == 1)[0] = i % 2 * 3 + i % 5;
  const auto split = observers_of(data).best_split(0);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->feature, 0u);
  EXPECT_EQ(split->runner_up, 0);
}

TEST(GaussianObservers, ClearForgetsOneLeafAndNoOther) {
  const Minibatch data = test::waveform(100);
  GaussianObservers observers(data.columns()), untouched(data.columns());
  observers.allocate(3);
  untouched.allocate(3);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t leaf = 0; leaf < 3; ++leaf) {
      observers.update(leaf, data.features().row(i), data.examples().y[i], 1);
      if (leaf != 1) untouched.update(leaf, data.features().row(i), data.examples().y[i], 1);
    }
  }
  observers.clear(1);
  EXPECT_EQ(save_state(observers), save_state(untouched));
  EXPECT_EQ(observers.log_ratio(1, data.features().row(0)), 0);
}

}  // namespace
}  // namespace plumbline::gaussian_observers_test
