#include "plumbline/calibrators/expert_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::expert_weights_test {
namespace {

TEST(ExpertWeights, FollowBayesRule) {
  ExpertWeights weights({0.5, 0.25, 0.25}, 1, 0);
  weights.learn(std::vector<double>{-std::log(0.5), -std::log(0.1), -std::log(0.9)});
  // Proportional to 0.5 * 0.5, 0.25 * 0.1 and 0.25 * 0.9.
  const double sum = 0.25 + 0.025 + 0.225;
  EXPECT_NEAR(weights.weights()[0], 0.25 / sum, 1e-15);  // rounding
  EXPECT_NEAR(weights.weights()[1], 0.025 / sum, 1e-15);
  EXPECT_NEAR(weights.weights()[2], 0.225 / sum, 1e-15);
}

TEST(ExpertWeights, GiveEachExpertItsShareOfTheLeastWeight) {
  ExpertWeights weights({0.75, 0.25}, 1, 0.01);
  for (int i = 0; i < 1000; ++i) weights.learn(std::vector<double>{5, 0});
  EXPECT_GE(weights.weights()[0], 0.0075);
}

// The bound of the header, against experts that are good in turn.
TEST(ExpertWeights, LoseAtMostTheirBoundToEachExpert) {
  for (const double share : {0.0, 1e-3}) {
    ExpertWeights weights({0.6, 0.3, 0.1}, 1, share);
    std::vector<double> total(3);
    double average = 0;
    constexpr int kExamples = 5000;
    for (std::uint64_t i = 0; i < kExamples; ++i) {
      Rng rng(3, 0, i);
      std::vector<double> losses(3);
      double p = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double predicted =
            std::clamp(rng.uniform() + (i / 500 % 3 == k ? 0.2 : 0), 1e-6, 1.0);
        losses[k] = -std::log(predicted);
        total[k] += losses[k];
        p += weights.weights()[k] * predicted;
      }
      average -= std::log(p);
      weights.learn(losses);
    }
    const std::vector<double> prior{0.6, 0.3, 0.1};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LE(average, total[k] - std::log(prior[k]) - kExamples * std::log(1 - share) + 1e-6);
    }
  }
}

TEST(ExpertWeights, RecoverWhenAllWereLost) {
  ExpertWeights weights({0.5, 0.5}, 1, 0);
  weights.learn(std::vector<double>{2000, 0});
  weights.learn(std::vector<double>{0, 2000});
  EXPECT_EQ(weights.weights()[0], 0.5);
}

TEST(ExpertWeights, RefuseStateThatDoesNotSumToOne) {
  ExpertWeights weights({0.5, 0.5}, 1, 0), other({0.5, 0.25, 0.25}, 1, 0);
  Tensors state = save_state(weights);
  load_state(weights, state);
  const std::vector<double> wrong{0.5, 0.6};
  std::memcpy(state[0].bytes.data(), wrong.data(), 16);
  test::expect_error(ErrorKind::model_file, {"sum to 1"}, [&] { load_state(weights, state); });
  test::expect_error(ErrorKind::model_file, {"shape"}, [&] { load_state(other, state); });
}

}  // namespace
}  // namespace plumbline::expert_weights_test
