#include "plumbline/calibrators/isotonic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/error.h"
#include "tests/calibrators/support.h"

namespace plumbline::isotonic_test {
namespace {

using test::apply;
using test::excess_loss;
using test::feed;

double stairs(double z) { return z < -1 ? 0.1 : z < 1 ? 0.5 : 0.9; }

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Isotonic, PoolsAdjacentViolators) {
  Isotonic calibrator({.cells = 10, .forgetting = 1, .prior = 1});
  test::calibrate(calibrator, {0.6, 0.1, 0.3, 0.2, 0.4, 0.5}, {1, 0, 1, 0, 0, 1});
  // In order 0 0 1 0 1 1, with a 1 before and a 0 behind: the means of {1 0 0}, {1 0}, {1 1 0}.
  for (const double s : {0.0, 0.1, 0.2}) EXPECT_DOUBLE_EQ(apply(calibrator, s), 1.0 / 3) << s;
  for (const double s : {0.3, 0.35, 0.4}) EXPECT_DOUBLE_EQ(apply(calibrator, s), 0.5) << s;
  for (const double s : {0.5, 0.6, 1.0}) EXPECT_DOUBLE_EQ(apply(calibrator, s), 2.0 / 3) << s;
}

TEST(Isotonic, IsLinearInTheLogitBetweenCells) {
  Isotonic calibrator({.cells = 10, .forgetting = 1, .prior = 1});
  test::calibrate(calibrator, {sigmoid(-1), sigmoid(3)}, {0, 1});
  EXPECT_DOUBLE_EQ(apply(calibrator, sigmoid(-1)), 0.5);  // the mean of a 1 before it and its 0
  test::calibrate(calibrator, {sigmoid(-1), sigmoid(3)}, {0, 1});
  EXPECT_NEAR(apply(calibrator, sigmoid(-1)), 1.0 / 3, 1e-15);
  EXPECT_NEAR(apply(calibrator, sigmoid(0)), 1.0 / 3 + 0.25 * (1.0 / 3), 1e-15);
}

// The isotonic fit at i is the largest, over a <= i, of the smallest, over b >= i, mean of a to b.
TEST(Isotonic, IsTheBestNondecreasingFitWhileNothingIsMerged) {
  constexpr std::size_t kExamples = 60;
  constexpr double kPrior = 0.5;
  std::vector<double> scores;
  std::vector<Label> labels;
  for (std::size_t i = 0; i < kExamples; ++i) {
    scores.push_back((static_cast<double>(i) + 1) / (kExamples + 1));
    labels.push_back(Rng(1, 0, i).uniform() < scores.back() ? 1 : 0);
  }
  Isotonic calibrator({.cells = kExamples, .forgetting = 1, .prior = kPrior});
  test::calibrate(calibrator, scores, labels);
  std::vector<double> positive{kPrior}, weight{kPrior};
  for (const Label label : labels) {
    positive.push_back(label);
    weight.push_back(1);
  }
  positive.push_back(0);
  weight.push_back(kPrior);
  for (std::size_t i = 1; i <= kExamples; ++i) {
    double fit = 0;
    for (std::size_t a = 0; a <= i; ++a) {
      double smallest = 1, p = 0, w = 0;
      for (std::size_t b = a; b < weight.size(); ++b) {
        p += positive[b];
        w += weight[b];
        if (b >= i) smallest = std::min(smallest, p / w);
      }
      fit = std::max(fit, smallest);
    }
    EXPECT_NEAR(apply(calibrator, scores[i - 1]), fit, 1e-14) << i;  // rounding alone
  }
}

TEST(Isotonic, NeverFallsNorReachesZeroOrOne) {
  Isotonic calibrator({.forgetting = 0.99});
  feed(
      calibrator, [](double z) { return z < -2  ? 0.0
                                        : z > 2 ? 1.0
                                                : sigmoid(-z); }, 0, 3000);
  double last = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double p = apply(calibrator, i / 1000.0);
    EXPECT_GE(p, std::max(last, 1e-9)) << i;
    EXPECT_LE(p, 1 - 1e-9) << i;
    last = p;
  }
}

TEST(Isotonic, OneClassLeavesRoomForTheOther) {
  Isotonic calibrator({.forgetting = 1, .prior = 1});
  test::calibrate(calibrator, std::vector<double>(100, 0), std::vector<Label>(100, 0));
  EXPECT_DOUBLE_EQ(apply(calibrator, 0), 1 / 102.0);  // 100 negatives and the two of the prior
}

TEST(Isotonic, CellsHoldAboutEqualMassesAndLoseNone) {
  constexpr double kExamples = 5000, kCells = 25;
  Isotonic calibrator({.cells = 25, .forgetting = 1});
  feed(calibrator, stairs, 0, 5000);
  const std::vector<double> weights = test::numbers(calibrator, "weights");
  EXPECT_EQ(sum(weights), kExamples);
  // The pairs of neighbours weigh at most 2 n together, so the lightest of 25 at most a 25th of it.
  EXPECT_LE(*std::max_element(weights.begin(), weights.end()), 2 * kExamples / kCells);
  double positives = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Rng rng(5, 0, i);
    const double z = test::draw_logit(rng);
    positives += rng.uniform() < stairs(z) ? 1 : 0;
  }
  EXPECT_EQ(sum(test::numbers(calibrator, "positives")), positives);
}

TEST(Isotonic, FindsAMapWithSteps) {
  Isotonic calibrator({.forgetting = 1});
  PlattNewton platt({.forgetting = 1});
  feed(calibrator, stairs, 0, 20000);
  feed(platt, stairs, 0, 20000);
  EXPECT_GT(excess_loss(platt, stairs), 0.01);
  // Thirty cells of n examples have at most 30/(2n); a step is smeared over two of the 30 cells.
  EXPECT_LT(excess_loss(calibrator, stairs), 0.25 * excess_loss(platt, stairs));
}

TEST(Isotonic, ForgettingFollowsAChange) {
  const auto before = [](double z) { return sigmoid(z + 3); };
  const auto after = [](double z) { return sigmoid(z - 3); };
  Isotonic remembering({.forgetting = 1}), forgetting({.forgetting = 0.995});
  for (Isotonic* calibrator : {&remembering, &forgetting}) {
    feed(*calibrator, before, 0, 20000);
    feed(*calibrator, after, 20000, 22000);
  }
  // At most 30 frequencies from a memory of 200 examples have an excess of 30/400.
  EXPECT_LT(excess_loss(forgetting, after), 30 / 400.0);
  EXPECT_GT(excess_loss(remembering, after), 0.5);
}

TEST(Isotonic, DropsCellsThatHaveFadedAway) {
  Isotonic calibrator({.cells = 4, .forgetting = 0.5});
  test::calibrate(calibrator, {0.1}, {1});
  test::calibrate(calibrator, std::vector<double>(100, 0.9), std::vector<Label>(100, 0));
  EXPECT_EQ(test::numbers(calibrator, "weights")[1], 0);
}

TEST(Isotonic, RefusesCellsOutOfOrderAndImpossibleWeights) {
  Isotonic calibrator({.cells = 4, .forgetting = 1});
  test::calibrate(calibrator, {0.2, 0.5, 0.8}, {0, 1, 1});
  const Tensors good = save_state(calibrator);
  struct Damage {
    const char* tensor;
    std::size_t place;
    double value;
  };
  for (const Damage& damage :
       {Damage{"logits", 0, 0.5}, Damage{"logits", 2, 20}, Damage{"logits", 3, 2},
        Damage{"positives", 1, 1.5}, Damage{"positives", 3, 0.5}, Damage{"weights", 0, -1},
        Damage{"weights", 0, 1e-20}, Damage{"weights", 1, 0}}) {
    Tensors tensors = good;
    test::overwrite(test::tensor(tensors, damage.tensor), damage.place, damage.value);
    EXPECT_THROW(load_state(calibrator, tensors), Error) << damage.tensor << damage.place;
  }
}

}  // namespace
}  // namespace plumbline::isotonic_test
