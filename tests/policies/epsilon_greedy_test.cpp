#include "plumbline/policies/epsilon_greedy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::epsilon_greedy_test {
namespace {

using test::as;
using test::make;

TEST(EpsilonGreedy, EpsilonIsConstantOrDecays) {
  const auto constant = make("epsilon_greedy:epsilon=0.2");
  const auto decaying = make("epsilon_greedy:epsilon=4,decay=0.5");
  for (const std::uint64_t n : {1u, 16u, 64u, 1000000u}) {
    EXPECT_EQ(as<EpsilonGreedy>(*constant).epsilon({.number = n + 1}), 0.2);
    EXPECT_DOUBLE_EQ(as<EpsilonGreedy>(*decaying).epsilon({.number = n + 1}),
                     std::min(1.0, 4 / std::sqrt(static_cast<double>(n))));
  }
}

TEST(EpsilonGreedy, WithoutEpsilonTakesTheBestMeanAndTheFirstOfEquals) {
  const auto policy = make("epsilon_greedy:epsilon=0", test::kFour);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    EXPECT_EQ(policy->choose({.number = arm + 2}), arm);  // each once first
    policy->reward(arm, arm == 0 ? 0.1 : 0.3);
  }
  for (std::uint64_t n = 6; n < 50; ++n) EXPECT_EQ(policy->choose({.number = n}), 1u);
}

// Of 10,000 rounds a share of epsilon explores, and half of these take the other arm.
TEST(EpsilonGreedy, ExploresOnAShareOfTheRounds) {
  const auto policy = make("epsilon_greedy:epsilon=0.3");
  policy->reward(0, 0.5);
  policy->reward(1, 0.1);
  double other = 0;
  for (std::uint64_t n = 2; n < 10002; ++n) {
    other += static_cast<double>(policy->choose({.number = n}));
  }
  EXPECT_NEAR(other / 10000, 0.15, test::five_errors(0.15, 10000));
}

TEST(EpsilonGreedy, ARuinousRewardCountsAsTheLowest) {
  const auto policy = make("epsilon_greedy:epsilon=0");
  policy->reward(0, -1e6);
  for (int i = 0; i < 9; ++i) policy->reward(0, 1);
  policy->reward(1, 0.5);
  EXPECT_DOUBLE_EQ(policy->arms()[0].mean, 0.8);
  EXPECT_EQ(policy->choose({.number = 20}), 0u);
}

// A constant epsilon loses epsilon/2 times the gap on every round for ever; with epsilon = cK/d^2,
// c = 5 and d the gap, the schedule of Auer et al. loses at most about c/d ln n more than a
// constant: it grows by the same amount from one power of ten to the next, not by ten times as
// much.
TEST(EpsilonGreedy, DecayMakesTheRegretLogarithmic) {
  const std::vector<double> means{0.75, 0.25};
  const std::vector<std::uint64_t> at{100, 1000, 10000};
  const auto constant = test::regret("epsilon_greedy", means, test::bernoulli, at);
  EXPECT_NEAR(constant[2] - constant[1], 0.1 / 2 * 0.5 * 9000, 15);
  const auto decaying =
      test::regret("epsilon_greedy:epsilon=40,decay=1", means, test::bernoulli, at);
  EXPECT_LT(decaying[2] - decaying[1], 1.5 * (decaying[1] - decaying[0]));
  EXPECT_LT(decaying[2] - decaying[1], 40.0 / 2 * 0.5 * std::log(10) * 1.2);
}

}  // namespace
}  // namespace plumbline::epsilon_greedy_test
