#include "plumbline/policies/kl_ucb.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/policies/support.h"

namespace plumbline::kl_ucb_test {
namespace {

using test::as;
using test::make;

TEST(KlUcb, DivergenceIsThatOfBernoulliLaws) {
  EXPECT_EQ(bernoulli_divergence(0.3, 0.3), 0);
  EXPECT_NEAR(bernoulli_divergence(0, 0.5), std::log(2), 1e-15);
  EXPECT_NEAR(bernoulli_divergence(1, 0.25), std::log(4), 1e-15);
  EXPECT_NEAR(bernoulli_divergence(0.5, 0.75), 0.5 * std::log(4.0 / 3), 1e-15);
}

// A mean of 0 has kl(0, q) = -ln(1 - q): with k pulls of n the bound is 1 - n^(-1/k).
TEST(KlUcb, BoundOfAnArmThatEarnedNothingHasAClosedForm) {
  const auto policy = make("kl_ucb:reward_low=0");
  for (int i = 0; i < 3; ++i) policy->reward(0, 0);
  policy->reward(1, 1);
  EXPECT_NEAR(as<KlUcb>(*policy).bound(0), 1 - std::pow(4, -1.0 / 3), 1e-14);
  EXPECT_EQ(as<KlUcb>(*policy).bound(1), 1);
}

// The bound is where the divergence uses up ln n + c ln ln n.
TEST(KlUcb, BoundSolvesItsEquation) {
  for (const double c : {0.0, 3.0}) {
    const auto policy = make(Spec("kl_ucb").set("c", c));
    for (const double reward : {0.5, -0.25, 0.0, 0.75}) policy->reward(0, reward);
    for (int i = 0; i < 6; ++i) policy->reward(1, -0.5);
    const double level = std::log(10) + c * std::log(std::log(10));
    // Means of 0.25 and -0.5, mapped from [-1, 1].
    EXPECT_NEAR(4 * bernoulli_divergence(0.625, as<KlUcb>(*policy).bound(0)), level, 1e-12);
    EXPECT_NEAR(6 * bernoulli_divergence(0.25, as<KlUcb>(*policy).bound(1)), level, 1e-12);
  }
}

// Pinsker: kl(p, q) >= 2 (p - q)^2, so that the bound of ucb1_improved is never below.
TEST(KlUcb, BoundIsNeverWiderThanThatOfUcb1Improved) {
  for (const double mean : {0.01, 0.2, 0.5, 0.9, 1.0}) {
    const auto policy = make("kl_ucb:reward_low=0");
    for (int i = 0; i < 20; ++i) {
      policy->reward(0, mean);
      policy->reward(1, 0);
    }
    EXPECT_LE(as<KlUcb>(*policy).bound(0), mean + std::sqrt(std::log(40) / 40) + 1e-12) << mean;
  }
}

TEST(KlUcb, PlaysEachArmOnceFirstAndTiesGoToTheEarlierAction) {
  const auto policy = make("kl_ucb", test::kFour);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    EXPECT_EQ(policy->choose({.number = arm + 2}), arm);
    policy->reward(arm, 0.25);
  }
  EXPECT_EQ(policy->choose({.number = 6}), 0u);
}

// Rare rewards are where the divergence pays: no policy can lose less than gap/kl(0.05, 0.1) ln n
// in the long run (Lai & Robbins), which is 28 here; twice that is far below what the others lose.
TEST(KlUcb, LosesLittleWhereRewardsAreRare) {
  const std::vector<double> means{0.05, 0.1};
  const double least = 0.05 / bernoulli_divergence(0.05, 0.1) * std::log(10000);
  const auto measured = [&](const Spec& spec) {
    return test::regret(spec, means, test::bernoulli, {10000})[0];
  };
  const double kl = measured("kl_ucb:reward_low=0");
  EXPECT_LT(kl, 2 * least);
  EXPECT_GT(measured("ucb1_improved"), 1.5 * kl);
  EXPECT_GT(measured("ucb1"), 3 * kl);
}

TEST(KlUcb, RegretGrowsLikeTheLogarithmOfTheRounds) {
  const auto measured =
      test::regret("kl_ucb:reward_low=0", {0.7, 0.3}, test::bernoulli, {100, 1000, 10000});
  EXPECT_LT(measured[2] - measured[1], 2 * (measured[1] - measured[0]));
  EXPECT_LT(measured[2], 2 * 0.4 / bernoulli_divergence(0.3, 0.7) * std::log(10000));
}

}  // namespace
}  // namespace plumbline::kl_ucb_test
