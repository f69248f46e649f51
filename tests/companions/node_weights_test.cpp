#include "plumbline/companions/node_weights.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "plumbline/error.h"
#include "plumbline/math/loss.h"
#include "tests/support.h"

namespace plumbline::node_weights_test {
namespace {

double margin(const NodeWeights& weights, const NodeWeights::Path& path) {
  std::array<double, 1> sum{};
  weights.add_margins(path, sum);
  return sum[0];
}

void learn(NodeWeights& weights, const NodeWeights::Path& path, Label y) {
  std::array<NodeWeights::Sums, 1> sums{};
  weights.begin_step(path, sums);
  const LogisticPoint point =
      logistic_point(implicit_margin(sums[0].margin, sums[0].variance, y), y);
  weights.end_step(path, {&point, 1});
}

const std::vector<std::uint32_t> kRoot{0}, kLeft{0, 1}, kRight{0, 2};

// The formula of the header, by hand: a root of variance 1 and a row of class 1. The step ends at the m with
// m = 1 - p(m), and the variance becomes 1/(1 + p (1 - p)).
TEST(NodeWeights, FollowTheFormula) {
  NodeWeights weights(3, 1);
  learn(weights, kRoot, 1);
  const double m = margin(weights, kRoot), p = sigmoid(m);
  EXPECT_NEAR(m, 1 - p, 1e-7);  // a float has 24 bits
  // The second step multiplies the residual by the variance after the first one, enlarged by forgetting.
  const double variance = 1 / (1 + p * (1 - p)) / 0.9995;
  learn(weights, kRoot, 1);
  const double next = margin(weights, kRoot);
  EXPECT_NEAR(next, m + variance * (1 - sigmoid(next)), 1e-6);
}

TEST(NodeWeights, NodesBelowTheRootLearnSlower) {
  NodeWeights weights(3, 1);
  weights.start_pair(1);
  for (int i = 0; i < 1000; ++i) {
    learn(weights, kLeft, 1);
    learn(weights, kRight, 0);
  }
  const double left = margin(weights, kLeft), right = margin(weights, kRight);
  EXPECT_GT(left, 0.1);
  EXPECT_NEAR(right, -left, 0.05);  // the row of class 1 comes first
}

TEST(NodeWeights, ANewPairStartsAtZero) {
  NodeWeights weights(3, 1);
  weights.start_pair(1);
  for (int i = 0; i < 100; ++i) learn(weights, kLeft, 1);
  const double root = margin(weights, kRoot);
  EXPECT_NE(margin(weights, kLeft), root);
  weights.start_pair(1);
  EXPECT_EQ(margin(weights, kLeft), root);
}

TEST(NodeWeights, ANewClassStartsAtZeroAndChangesNoOther) {
  NodeWeights weights(3, 1);
  weights.start_pair(1);
  for (int i = 0; i < 100; ++i) learn(weights, kLeft, 1);
  const double before = margin(weights, kLeft);
  weights.add_output();
  std::array<double, 2> margins{};
  weights.add_margins(kLeft, margins);
  EXPECT_EQ(margins[0], before);
  EXPECT_EQ(margins[1], 0);
}

}  // namespace
}  // namespace plumbline::node_weights_test
