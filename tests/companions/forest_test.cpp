#include "plumbline/companions/forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "plumbline/math/loss.h"
#include "tests/support.h"

namespace plumbline::forest_test {
namespace {

constexpr std::size_t kRates = RandomTree::kFewestRates;  // of a forest by default

Forest make(const Forest::Params& params, FeatureSpace features, bool several = false) {
  return {params, {.features = features, .several_classes = several}};
}

// The predicted probabilities of class 1, without fading.
std::vector<double> predict(const Forest& forest, const Batch& batch) {
  std::vector<double> margins(kRates * batch.rows);
  forest.margins(batch, 0, margins);
  margins.resize(batch.rows);
  for (double& margin : margins) margin = sigmoid(margin);
  return margins;
}

// The mean log-loss when each example is predicted before it is learned, from example `from` on.
double test_then_learn(Forest& forest, const Examples& examples, std::size_t from,
                       std::size_t rate = 0) {
  double loss = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::array<double, kRates> margins;
    forest.margins(examples.x.part(i, 1), 0, margins);
    if (i >= from) loss += log_loss(sigmoid(margins[rate]), examples.y[i]);
    forest.learn(examples.part(i, 1));
  }
  return loss / static_cast<double>(examples.size() - from);
}

// Four squares of a board: no feature says anything alone.
Minibatch board(std::size_t rows) {
  Minibatch data(2);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = rng.uniform(), b = rng.uniform();
    const auto x = data.add((a < 0.5) == (b < 0.5) ? 1 : 0);
    x[0] = a;
    x[1] = b;
  }
  return data;
}

TEST(Forest, SeesInteractions) {
  Forest forest = make({}, 2);
  // ln 2 = 0.69 is in it for whoever sees one feature at a time.
  EXPECT_LT(test_then_learn(forest, board(4000).examples(), 2000), 0.15);
}

TEST(Forest, KnowsNothingBeforeTheFirstRow) {
  const Forest forest = make({}, 2);
  for (const double p : predict(forest, board(3).features())) EXPECT_EQ(p, 0.5);
}

TEST(Forest, LosesLittleOnNoise) {
  Minibatch data(5);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 5000; ++i) {
    for (double& x : data.add(rng.uniform() < 0.2 ? 1 : 0)) x = rng.normal();
  }
  Forest forest = make({}, 5);
  const double entropy = -0.2 * std::log(0.2) - 0.8 * std::log(0.8);
  // Trees that always split would lose ln 2 and more per leaf of 40 rows.
  EXPECT_LT(test_then_learn(forest, data.examples(), 1000), entropy + 0.02);
}

TEST(Forest, FastFadingFollowsDrift) {
  const Minibatch data = board(4000);
  std::vector<Label> labels(data.examples().y.begin(), data.examples().y.end());
  for (std::size_t i = 3000; i < labels.size(); ++i) labels[i] = labels[i] == 1 ? 0 : 1;
  const Examples drifting{data.features(), labels};
  Forest slow = make({}, 2), fast = make({}, 2);
  EXPECT_LT(test_then_learn(fast, drifting, 3500, 1),
            0.5 * test_then_learn(slow, drifting, 3500, 0));
}

// What follows is the definition of random_tree.h for a tree that cannot split: one node.
TEST(Forest, ALeafCountsWithTheKrichevskyTrofimovEstimate) {
  Forest forest = make({.trees = 1, .grace = 1000000}, 1);
  const Minibatch data = test::rows({{{1}, 1}, {{2}, 1}, {{3}, 0}, {{4}, 1}});
  forest.learn(data.examples());
  std::array<double, kRates> margins;
  forest.margins(data.features().part(0, 1), 0, margins);
  EXPECT_NEAR(sigmoid(margins[0]), 3.5 / 5, 1e-12);
  const double f = RandomTree::kFadings[1], ones = f * f * f + f * f + 1, zeros = f;
  EXPECT_NEAR(sigmoid(margins[1]), (ones + 0.5) / (ones + zeros + 1), 1e-12);
}

// The first candidate is drawn when a single value is known, and separates nothing. The second one is drawn from a row
// with the smaller of two values, which belongs to the left.
TEST(Forest, ALeafCountsTheRowsOnTheLeftOfACandidate) {
  Forest forest = make({.trees = 1, .grace = 10, .candidates = 1}, 1);
  Minibatch data(1);
  for (int attempt = 0; attempt < 2; ++attempt) {
    data.add(0)[0] = 2;
    for (int i = 0; i < 10; ++i) {
      const Label y = i % 2 == 0 ? 1 : 0;
      data.add(y)[0] = 2 + y;
    }
  }
  forest.learn(data.examples());
  const Minibatch asked = test::rows({{{2}, 0}, {{3}, 1}});
  const std::vector<double> p = predict(forest, asked.features());
  // Each child has five rows of one class. They are mixed with the root, which has 22 rows, with even weights.
  EXPECT_NEAR(p[0], (0.5 / 6 + 10.5 / 23) / 2, 1e-12);
  EXPECT_NEAR(p[1], (5.5 / 6 + 10.5 / 23) / 2, 1e-12);
}

TEST(Forest, NothingDependsOnTheScaleOfAFeature) {
  const Minibatch data = board(1500);
  Minibatch scaled(2);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto x = scaled.add(data.examples().y[i]);
    x[0] = data.features().row(i)[0] * 1024;
    x[1] = data.features().row(i)[1] / 4096;
  }
  Forest one = make({}, 2), two = make({}, 2);
  one.learn(data.examples());
  two.learn(scaled.examples());
  EXPECT_EQ(predict(one, data.features()), predict(two, scaled.features()));
}

TEST(Forest, ANewFeatureCountsAsZeroSoFar) {
  const Minibatch data = board(3000);
  Minibatch wide(3);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto x = wide.add(data.examples().y[i]);
    std::ranges::copy(data.features().row(i), x.begin());
    x[2] = i >= 1000 ? static_cast<double>(data.examples().y[i]) : 0;
  }
  Forest grown = make({}, 2), from_the_start = make({}, 3);
  grown.learn(data.examples().part(0, 1000));
  grown.grow(3);
  grown.learn(wide.examples().part(1000, 2000));
  from_the_start.learn(wide.examples());
  EXPECT_EQ(save_state(grown), save_state(from_the_start));
}

TEST(Forest, AbsentFeaturesOfSparseRowsAreZero) {
  Minibatch dense(4);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::uint64_t a = rng.below(4), b = rng.below(4);
    const auto x = dense.add(a == b ? 1 : 0);
    x[a] += 1;
    x[b] += 1;
  }
  std::vector<Entry> entries;
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < dense.rows(); ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      const double value = dense.features().row(i)[j];
      if (value != 0) entries.push_back({j, value});
    }
    starts.push_back(entries.size());
  }
  const Batch sparse{.rows = dense.rows(), .columns = 4, .entries = entries, .starts = starts};
  Forest forest = make({}, FeatureSpace(4, true));
  forest.learn({sparse, dense.examples().y});
  double loss = 0;
  const std::vector<double> p = predict(forest, sparse);
  for (std::size_t i = 0; i < p.size(); ++i) loss += log_loss(p[i], dense.examples().y[i]);
  EXPECT_LT(loss / static_cast<double>(p.size()), 0.05);
}

TEST(Forest, ItsLastScoreIsTheSumOfTheLearnedWeights) {
  // Trees that cannot split: each has the weight of its root, and all roots learn together.
  Forest forest = make({.trees = 2, .grace = 1000000, .refine = true}, 1);
  std::vector<NodeWeights> roots(2, NodeWeights(1, 1));
  const std::vector<std::uint32_t> path{0};
  for (int i = 0; i < 50; ++i) {
    const Minibatch row = test::rows({{{static_cast<double>(i)}, static_cast<Label>(i % 3 == 0)}});
    std::array<double, kRates + 1> margins;
    forest.margins(row.features(), 0, margins);
    std::array<double, 1> sum{};
    for (const NodeWeights& root : roots) root.add_margins(path, sum);
    EXPECT_EQ(margins[kRates], sum[0]) << i;
    forest.learn(row.examples());
    std::array<NodeWeights::Sums, 1> sums{};
    for (NodeWeights& root : roots) root.begin_step(path, sums);
    const Label y = row.examples().y[0];
    const LogisticPoint point =
        logistic_point(implicit_margin(sums[0].margin, sums[0].variance, y), y);
    for (NodeWeights& root : roots) root.end_step(path, {&point, 1});
  }
}

TEST(Forest, RatesAndWeightsDoNotChangeTheOtherScores) {
  const Minibatch data = board(2000);
  Forest plain = make({}, 2), full = make({.rates = 3, .refine = true}, 2);
  plain.learn(data.examples());
  full.learn(data.examples());
  const std::size_t rows = data.rows();
  std::vector<double> few(kRates * rows), all(4 * rows);
  plain.margins(data.features(), 0, few);
  full.margins(data.features(), 0, all);
  all.resize(few.size());
  EXPECT_EQ(few, all);
}

TEST(Forest, CountsSeveralClasses) {
  Minibatch data(2);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 4000; ++i) {
    const double a = rng.uniform(), b = rng.uniform();
    const auto x = data.add(static_cast<Label>((a < 0.5 ? 0 : 1) + (b < 0.5 ? 0 : 2)));
    x[0] = a;
    x[1] = b;
  }
  Forest forest = make({}, 2, /*several=*/true);
  for (int k = 0; k < 4; ++k) forest.add_class();
  forest.learn(data.examples().part(0, 3000));
  std::vector<double> margins(kRates * 4 * 1000);
  forest.margins(data.features().part(3000, 1000), 0, margins);
  double loss = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += sigmoid(margins[k * 1000 + i]);
    EXPECT_NEAR(sum, 1, 1e-9) << i;
    loss -= std::log(sigmoid(margins[data.examples().y[3000 + i] * 1000 + i])) / 1000;
  }
  EXPECT_LT(loss, 0.15);  // ln 4 = 1.39
}

// A class that comes later changes nothing before: (n_k + 1/2)/(n + K/2) uses the K classes so far.
TEST(Forest, AClassCanComeLater) {
  const Minibatch data = board(2000);
  Forest forest = make({}, 2, /*several=*/true);
  forest.add_class();
  forest.add_class();
  forest.learn(data.examples().part(0, 1000));
  forest.add_class();
  std::vector<double> margins(kRates * 3);
  forest.margins(data.features().part(0, 1), 0, margins);
  EXPECT_LT(sigmoid(margins[2]), 0.05);
  std::vector<Label> third(1000, 2);
  forest.learn({data.features().part(1000, 1000), third});
  forest.margins(data.features().part(0, 1), 0, margins);
  EXPECT_GT(sigmoid(margins[2]), 0.5);
}

TEST(Forest, ReusesNodesOfSplitsThatDoNotHelp) {
  // A small tree that is full of splits of noise, after which one feature separates the classes.
  Minibatch data(2);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 20000; ++i) {
    const auto y = static_cast<Label>(rng.below(2));
    const auto x = data.add(y);
    x[0] = rng.normal();
    x[1] = i < 5000 ? rng.normal() : rng.normal() + 6 * y;
  }
  Forest forest = make({.trees = 1, .nodes = 31}, 2);
  forest.learn(data.examples().part(0, 5000));
  const auto nodes_of = [](const Forest& of) {
    for (const Tensor& tensor : save_state(of)) {
      if (tensor.name == "tree1.splits") return tensor.shape[0];
    }
    return std::size_t{0};
  };
  ASSERT_EQ(nodes_of(forest), 31u);
  forest.learn(data.examples().part(5000, 13000));
  EXPECT_EQ(nodes_of(forest), 31u);
  // The counts that fade have forgotten the noise.
  std::vector<double> margins(kRates * 2000);
  forest.margins(data.features().part(18000, 2000), 0, margins);
  double loss = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    loss += log_loss(sigmoid(margins[2000 + i]), data.examples().y[18000 + i]) / 2000;
  }
  EXPECT_LT(loss, 0.25);  // ln 2 = 0.69 without a split of the second feature
}

// Every bit flip of a saved forest is refused or leaves a forest that predicts finite numbers.
TEST(Forest, RefusesAFileThatIsNotAForest) {
  const Minibatch data = board(400);
  const Forest::Params params{.trees = 2, .nodes = 31, .grace = 10, .candidates = 4};
  Forest forest = make(params, 2);
  forest.learn(data.examples());
  const Tensors tensors = save_state(forest);
  std::map<std::string, int> refused;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (std::size_t byte = 0; byte < tensors[t].bytes.size(); byte += 3) {
      Tensors changed = tensors;
      changed[t].bytes[byte] ^= std::byte{0x41};
      Forest loaded = make(params, 2);
      try {
        load_state(loaded, changed);
        for (const double p : predict(loaded, data.features())) ASSERT_TRUE(std::isfinite(p));
        loaded.learn(data.examples());
      } catch (const Error&) {
        ++refused[tensors[t].name];
      }
    }
  }
  for (const char* name : {"tree1.places", "tree1.splits", "tree1.nodes", "tree2.lefts",
                           "tree2.candidates", "tree1.states", "varied"}) {
    EXPECT_GT(refused[name], 0) << name;
  }
}

}  // namespace
}  // namespace plumbline::forest_test
