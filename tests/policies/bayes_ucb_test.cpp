#include "plumbline/policies/bayes_ucb.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/policies/support.h"

namespace plumbline::bayes_ucb_test {
namespace {

using test::make;

// One arm with 8 pulls and posterior N(8m/9, 1/9), one without and N(0, 1). On round 20 the
// quantile of level 0.95 is z = 1.644854: they are equal at m = 9/8 (2/3) z = 1.23364.
TEST(BayesUcb, ComparesUpperQuantilesOfThePosteriors) {
  for (const auto& [mean, expected] : {std::pair{1.2336, 1u}, std::pair{1.2337, 0u}}) {
    const auto policy = make("bayes_ucb");
    for (int i = 0; i < 8; ++i) policy->reward(0, mean);
    EXPECT_EQ(policy->choose({.number = 20}), expected) << mean;
  }
}

// Level 1/2 on round 2: the larger mean, however uncertain the other one.
TEST(BayesUcb, BeginsWithTheMedian) {
  const auto policy = make("bayes_ucb");
  for (int i = 0; i < 8; ++i) policy->reward(1, 0.01);
  EXPECT_EQ(policy->choose({.number = 2}), 1u);
  EXPECT_EQ(policy->choose({.number = 3}), 0u);
}

TEST(BayesUcb, TiesGoToTheEarlierActionAndTheSeedDoesNotMatter) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    EXPECT_EQ(make("bayes_ucb", test::kFour, seed)->choose({.number = 10}), 0u);
  }
}

TEST(BayesUcb, StaysFiniteForAnyRound) {
  const auto policy = make("bayes_ucb");
  policy->reward(0, 0.5);
  EXPECT_EQ(policy->choose({.number = std::uint64_t{1} << 62}), 1u);
}

// For unit variance and gap 1 no policy loses less than 2 ln n in the long run; the prior and the
// early rounds are allowed as much again.
TEST(BayesUcb, RegretGrowsLikeTheLogarithmOfTheRounds) {
  const auto measured = test::regret("bayes_ucb", {0, 1}, test::gaussian, {100, 1000, 10000});
  EXPECT_LT(measured[2] - measured[1], 2 * (measured[1] - measured[0]));
  EXPECT_LT(measured[2], 2 * 2 * std::log(10000));
}

}  // namespace
}  // namespace plumbline::bayes_ucb_test
