#include "plumbline/learners/hoeffding_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/error.h"
#include "tests/support.h"

// Splits are compared with river's in tests/oracle, the choice of splits with a textbook in
// gaussian_observers_test.cpp.

namespace plumbline::hoeffding_tree_test {
namespace {

using Params = HoeffdingTree::Params;
using LeafModel = HoeffdingTree::LeafModel;

std::vector<double> margins(const HoeffdingTree& tree, const Batch& batch) {
  std::vector<double> margins(batch.rows);
  tree.margins(batch, margins);
  return margins;
}

double margin(const HoeffdingTree& tree, std::initializer_list<double> x) {
  const std::vector<double> row(x);
  return margins(tree, {row, 1, row.size()})[0];
}

void learn(HoeffdingTree& tree, const Examples& examples, double weight = 1,
           Weighting weighting = Weighting::importance) {
  std::vector<Label> votes(examples.size());
  tree.learn_each(examples, std::vector<double>(examples.size(), weight), {.weighting = weighting},
                  votes);
}

HoeffdingTree trained(const Params& params, const Minibatch& data) {
  HoeffdingTree tree(params, data.columns());
  learn(tree, data.examples());
  return tree;
}

// Labels that a single threshold of feature 0, near 0, decides; feature 1 is noise.
Minibatch threshold_data(std::size_t count) {
  Minibatch data(2);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(1, 0, i);
    const double x = rng.normal();
    const auto row = data.add(x > 0);
    row[0] = x;
    row[1] = rng.normal();
  }
  return data;
}

// Labels that depend on whether the features have the same sign: neither feature helps alone.
Minibatch exclusive_or(std::size_t count) {
  Minibatch data(2);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(2, 0, i);
    const double a = 2 * rng.uniform() - 1, b = 2 * rng.uniform() - 1;
    const auto row = data.add((a > 0) == (b > 0));
    row[0] = a;
    row[1] = b;
  }
  return data;
}

double accuracy(const HoeffdingTree& tree, const Minibatch& data) {
  const auto all = margins(tree, data.features());
  double right = 0;
  for (std::size_t i = 0; i < all.size(); ++i) right += (all[i] > 0) == (data.examples().y[i] == 1);
  return right / static_cast<double>(all.size());
}

TEST(HoeffdingTree, BeforeAnyLearningTheMarginIsZero) {
  EXPECT_EQ(margin(HoeffdingTree({}, 2), {1, 2}), 0);
}

TEST(HoeffdingTree, TheMajorityMarginIsTheLogOddsOfTheWeights) {
  HoeffdingTree tree({.leaf = LeafModel::majority}, 1);
  learn(tree, test::rows({{{0}, 0}, {{2}, 1}, {{3}, 1}}).examples(), 1.5);
  EXPECT_NEAR(margin(tree, {0}), std::log(3.5 / 2), 1e-12);
}

TEST(HoeffdingTree, TheNaiveBayesMarginAddsTheLogRatioOfTheDensities) {
  HoeffdingTree tree({.leaf = LeafModel::naive_bayes}, 1);
  learn(tree, test::rows({{{0}, 0}, {{2}, 0}, {{3}, 1}, {{5}, 1}, {{7}, 1}}).examples());
  // Class 0: mean 1, variance 2; class 1: mean 5, variance 4.
  const double ratio = 0.5 * (1.5 * 1.5 / 2 - 2.5 * 2.5 / 4 + std::log(0.5));
  EXPECT_NEAR(margin(tree, {2.5}), std::log(3.5 / 2.5) + ratio, 1e-12);
}

TEST(HoeffdingTree, MarginsAreBounded) {
  HoeffdingTree tree({}, 1);
  learn(tree, test::rows({{{0}, 0}, {{1}, 0}, {{100}, 1}, {{101}, 1}}).examples());
  EXPECT_EQ(margin(tree, {100}), HoeffdingTree::kMaxMargin);
  EXPECT_EQ(margin(tree, {0}), -HoeffdingTree::kMaxMargin);
}

TEST(HoeffdingTree, AnAdaptiveLeafPredictsWithWhatHasBeenRightMoreOften) {
  // Class 1 is rare and as wide as class 0: Naive Bayes errs where it is far out, the majority does not.
  Minibatch data(1);
  for (int i = 0; i < 90; ++i) data.add(0)[0] = i % 3;
  for (int i = 0; i < 10; ++i) data.add(1)[0] = 3 + i % 2;
  const Params adaptive{.grace = 1e9}, bayes{.grace = 1e9, .leaf = LeafModel::naive_bayes},
      majority{.grace = 1e9, .leaf = LeafModel::majority};
  HoeffdingTree tree = trained(adaptive, data);
  EXPECT_EQ(margin(tree, {4}), margin(trained(bayes, data), {4}));
  // The same place with the other label, over and over: Naive Bayes is wrong there.
  Minibatch misleading(1);
  for (int i = 0; i < 30; ++i) misleading.add(0)[0] = 4;
  learn(tree, misleading.examples());
  Minibatch all = data;
  for (int i = 0; i < 30; ++i) all.add(0)[0] = 4;
  EXPECT_EQ(margin(tree, {4}), margin(trained(majority, all), {4}));
}

TEST(HoeffdingTree, SplitsOnceTheBestFeatureIsClear) {
  HoeffdingTree tree({}, 2);
  const Minibatch data = threshold_data(400);
  learn(tree, test::slice(data, 0, 199));
  EXPECT_EQ(tree.nodes().size(), 1u);  // still within the grace period
  learn(tree, test::slice(data, 199, 200));
  ASSERT_EQ(tree.nodes().size(), 3u);
  EXPECT_EQ(tree.nodes()[0].feature, 0u);
  EXPECT_LT(std::abs(tree.nodes()[0].threshold), 0.3);
}

TEST(HoeffdingTree, AValueAtTheThresholdGoesLeft) {
  HoeffdingTree tree({.leaf = LeafModel::majority}, 2);
  learn(tree, threshold_data(200).examples());
  ASSERT_EQ(tree.nodes().size(), 3u);
  const double threshold = tree.nodes()[0].threshold;
  EXPECT_EQ(margin(tree, {threshold, 0}), margin(tree, {-9, 0}));
  EXPECT_EQ(margin(tree, {std::nextafter(threshold, 9), 0}), margin(tree, {9, 0}));
  EXPECT_LT(margin(tree, {-9, 0}), 0);
  EXPECT_GT(margin(tree, {9, 0}), 0);
}

TEST(HoeffdingTree, SeesInteractions) {
  const Minibatch data = exclusive_or(20000), fresh = exclusive_or(30000);
  EXPECT_GT(accuracy(trained({}, data), fresh), 0.9);
}

// Without a clear winner a leaf waits until eps < tau: sqrt(ln(1e7)/(2 n)) < 0.05 from n = 3224 on.
TEST(HoeffdingTree, ATieIsBrokenOnceTheBoundIsBelowTau) {
  const Minibatch data = exclusive_or(3400);
  HoeffdingTree tree({}, 2);
  learn(tree, test::slice(data, 0, 3399));
  EXPECT_EQ(tree.nodes().size(), 1u);
  learn(tree, test::slice(data, 3399, 3400));
  EXPECT_EQ(tree.nodes().size(), 3u);
  EXPECT_EQ(trained({.tau = 0}, data).nodes().size(), 1u);
}

// Noise in the only feature is no reason to split.
TEST(HoeffdingTree, ASingleFeatureHasToBeatNoSplit) {
  Minibatch noise(1);
  for (std::size_t i = 0; i < 3000; ++i) {
    Rng rng(3, 0, i);
    noise.add(static_cast<Label>(rng.below(2)))[0] = rng.normal();
  }
  EXPECT_EQ(trained({}, noise).nodes().size(), 1u);
}

TEST(HoeffdingTree, ALeafThatHasSeenOneClassIsNotSplit) {
  const Minibatch data = threshold_data(200);
  HoeffdingTree tree = trained({}, data);
  ASSERT_EQ(tree.nodes().size(), 3u);
  // Both children inherit some weight of either class, and then see one class only, long enough for a tie.
  Minibatch pure(2);
  for (std::size_t i = 0; i < 10000; ++i) {
    Rng rng(4, 0, i);
    const auto x = pure.add(i % 2 == 1);
    x[0] = i % 2 == 1 ? 1 + rng.uniform() : -1 - rng.uniform();
    x[1] = rng.normal();
  }
  learn(tree, pure.examples());
  EXPECT_EQ(tree.nodes().size(), 3u);
}

TEST(HoeffdingTree, WithAnExhaustedPoolLeavesLearnButDoNotSplit) {
  const Minibatch data = exclusive_or(30000);
  const Examples first = test::slice(data, 0, 20000), rest = test::slice(data, 20000, 30000);
  for (const std::int64_t most : {1, 2, 3, 4, 5}) {
    HoeffdingTree tree({.max_nodes = most}, 2);
    learn(tree, first);
    const auto full = static_cast<std::size_t>((most - 1) / 2 * 2 + 1);
    EXPECT_EQ(tree.nodes().size(), full);
    const auto before = margins(tree, first.x);
    learn(tree, rest);
    EXPECT_EQ(tree.nodes().size(), full);
    EXPECT_NE(margins(tree, first.x), before);
  }
}

TEST(HoeffdingTree, KUpdatesMakeTheSameSplitsAsOneOfWeightK) {
  const Minibatch data = test::generate("agrawal", 4000);
  HoeffdingTree weighted({}, data.columns()), repeated({}, data.columns());
  learn(weighted, data.examples(), 4);
  learn(repeated, data.examples(), 4, Weighting::repetitions);
  ASSERT_GT(weighted.nodes().size(), 5u);
  ASSERT_EQ(weighted.nodes().size(), repeated.nodes().size());
  for (std::size_t i = 0; i < weighted.nodes().size(); ++i) {
    EXPECT_EQ(weighted.nodes()[i].feature, repeated.nodes()[i].feature);
    EXPECT_EQ(weighted.nodes()[i].threshold, repeated.nodes()[i].threshold);
  }
}

TEST(HoeffdingTree, WeightZeroChangesNothing) {
  const Minibatch data = threshold_data(300);
  HoeffdingTree tree = trained({}, data);
  const Tensors before = save_state(tree);
  learn(tree, data.examples(), 0);
  EXPECT_EQ(save_state(tree), before);
}

TEST(HoeffdingTree, TheScaleOfFeaturesDoesNotMatter) {
  const Minibatch data = test::generate("agrawal", 6000);
  Minibatch scaled = data;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < data.columns(); ++j) scaled.row(i)[j] *= j % 2 == 0 ? 1e-9 : 1e9;
  }
  const HoeffdingTree tree = trained({}, data), other = trained({}, scaled);
  ASSERT_GE(tree.nodes().size(), 5u);
  ASSERT_EQ(other.nodes().size(), tree.nodes().size());
  const auto a = margins(tree, data.features()), b = margins(other, scaled.features());
  // The roundings of a few thousand updates.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(HoeffdingTree, AFeatureThatWasConstantlyZeroIsNeverChosen) {
  Minibatch data = exclusive_or(10000);
  data.widen(4);
  const HoeffdingTree tree = trained({}, data);
  ASSERT_GT(tree.nodes().size(), 3u);
  for (const auto& node : tree.nodes()) EXPECT_LT(node.feature, 2u);
}

class HoeffdingTreeState : public ::testing::Test {
 protected:
  HoeffdingTreeState() : tree_(trained(params_, exclusive_or(8000))), state_(save_state(tree_)) {}

  // The state with one element of a tensor replaced.
  template <class Value>
  Tensors with(const std::string& name, std::size_t index, Value value) const {
    Tensors state = state_;
    for (Tensor& tensor : state) {
      if (tensor.name != name) continue;
      std::memcpy(tensor.bytes.data() + index * sizeof value, &value, sizeof value);
    }
    EXPECT_NE(state, state_) << name;
    return state;
  }

  void expect_refused(const Tensors& state, const char* reason) const {
    HoeffdingTree fresh(params_, 2);
    test::expect_error(ErrorKind::model_file, {reason}, [&] { load_state(fresh, state); });
  }

  const Params params_{.max_nodes = 9};
  const HoeffdingTree tree_;
  const Tensors state_;
};

TEST_F(HoeffdingTreeState, ImpossibleNodesAreRefused) {
  ASSERT_GE(tree_.nodes().size(), 7u);
  const std::uint64_t used = tree_.nodes().size();
  expect_refused(with<std::uint64_t>("nodes", 0, 11), "larger than the pool");
  expect_refused(with<std::uint64_t>("nodes", 0, used - 1), "does not describe a tree");
  expect_refused(with<std::uint64_t>("nodes", 0, used - 2), "does not describe a tree");
  for (const std::uint64_t left : {std::uint64_t{2}, used, std::uint64_t{1} << 32 | 1}) {
    expect_refused(with("left", 0, left), "does not describe a tree");
  }
  expect_refused(with<std::uint64_t>("left", 1, 1), "does not describe a tree");  // a cycle
  expect_refused(with<std::uint64_t>("left", 2, 1), "does not describe a tree");
  expect_refused(with<std::uint64_t>("left", 0, 0), "does not describe a tree");
  expect_refused(with<std::uint64_t>("left", 0, 3), "does not describe a tree");  // two parents
  expect_refused(with<std::uint64_t>("feature", 0, 2), "names no feature");
  expect_refused(with("threshold", 0, 1e200), "threshold");
}

TEST_F(HoeffdingTreeState, ImpossibleStatisticsAreRefused) {
  expect_refused(with("leaves", 0, -1.0), "leaves");
  expect_refused(with("leaves", 3, 1e303), "leaves");
  expect_refused(with("observed_weight", 1, -1.0), "observed_weight");
  expect_refused(with("observers", 0, 1e151), "observers");   // a mean
  expect_refused(with("observers", 2, -1e-9), "observers");   // a sum of squares
  expect_refused(with("observers", 4, -1e151), "observers");  // a smallest value
  expect_refused(with("observers", 7, 1e151), "observers");   // a largest value
  expect_refused(with("observers", 7, std::nan("")), "observers");
}

TEST_F(HoeffdingTreeState, AFileWithoutThePoolIsRefusedBeforeItIsAllocated) {
  Tensors tensors;
  Archive archive = Archive::saving_to(tensors);
  std::uint64_t nodes = 1;
  archive.value("nodes", nodes);
  HoeffdingTree large({.max_nodes = 65535}, 1000);  // a pool of gigabytes
  test::expect_error(ErrorKind::model_file, {"observers", "too short"},
                     [&] { load_state(large, tensors); });
}

// Any bytes at all: they are refused, or the tree works.
TEST_F(HoeffdingTreeState, AlteredStatesAreRefusedOrUsable) {
  const Minibatch data = exclusive_or(300);
  int loaded = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Rng rng(5, 0, i);
    Tensors state = state_;
    Tensor& tensor = state[rng.below(state.size())];
    const std::size_t at = rng.below(tensor.bytes.size() / 8) * 8;
    if (i % 2 == 0) {
      tensor.bytes[at + rng.below(8)] ^= static_cast<std::byte>(1 + rng.below(255));
    } else {
      const double extreme[] = {0, 1e-300, 1e150, -1e150, 1e302, 5e-324, 1};
      std::memcpy(tensor.bytes.data() + at, &extreme[rng.below(7)], 8);
    }
    HoeffdingTree tree(params_, 2);
    try {
      load_state(tree, state);
    } catch (const Error&) {
      continue;
    }
    ++loaded;
    EXPECT_TRUE(save_state(tree) == state) << tensor.name << i;
    learn(tree, data.examples());
    for (const double margin : margins(tree, data.features())) ASSERT_TRUE(std::isfinite(margin));
    HoeffdingTree again(params_, 2);
    EXPECT_NO_THROW(load_state(again, save_state(tree)));
  }
  EXPECT_GT(loaded, 500);
}

}  // namespace
}  // namespace plumbline::hoeffding_tree_test
