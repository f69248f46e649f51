#include "plumbline/policies/sliding_window_ucb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::sliding_window_ucb_test {
namespace {

using test::make;

TEST(SlidingWindowUcb, RemembersTheLastPlaysOnly) {
  const auto policy = make("sliding_window_ucb:window=4");
  for (const double reward : {-1.0, -0.5, 0.25, 0.75}) policy->reward(0, reward);
  policy->reward(1, 0.5);
  policy->reward(1, 0.25);
  EXPECT_EQ(policy->arms()[0].pulls, 2);
  EXPECT_EQ(policy->arms()[0].mean, 0.5);
  EXPECT_EQ(policy->arms()[1].pulls, 2);
  EXPECT_EQ(policy->arms()[1].mean, 0.375);
}

TEST(SlidingWindowUcb, PlaysAnArmThatLeftTheWindow) {
  const auto policy = make("sliding_window_ucb:window=3");
  policy->reward(1, 1);
  for (int i = 0; i < 2; ++i) policy->reward(0, 0.5);
  EXPECT_EQ(policy->choose({.number = 5}), 1u);  // by its mean
  policy->reward(0, 1);
  EXPECT_EQ(policy->arms()[1].pulls, 0);
  EXPECT_EQ(policy->choose({.number = 6}), 1u);  // for it has none
}

// In the window 4 plays of the first arm with mean m and one of the second with mean 0: the bounds
// m + sqrt(0.6 ln 5/4) and sqrt(0.6 ln 5) meet at m = 0.491. Older plays do not matter.
TEST(SlidingWindowUcb, BoundIsThatOfThePaper) {
  for (const auto& [mean, expected] : {std::pair{0.48, 1u}, std::pair{0.50, 0u}}) {
    const auto policy = make("sliding_window_ucb:window=5,reward_low=0");
    for (int i = 0; i < 7; ++i) policy->reward(1, 1);
    policy->reward(1, 0);
    for (int i = 0; i < 4; ++i) policy->reward(0, mean);
    EXPECT_EQ(policy->choose({.number = 14}), expected) << mean;
  }
}

TEST(SlidingWindowUcb, TiesGoToTheEarlierAction) {
  const auto policy = make("sliding_window_ucb", test::kFour);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    EXPECT_EQ(policy->choose({.number = arm + 2}), arm);
    policy->reward(arm, 0.25);
  }
  EXPECT_EQ(policy->choose({.number = 6}), 0u);
}

// After 5000 rounds the best arm falls from 0.9 to 0.3, below the other's 0.6. The window has
// forgotten its better days after 200 more; from then on the bound allows the worse arm 0.6 ln
// 200/0.3^2 = 35 plays of 200. In 3000 rounds that loses about 0.3 (200 + 15 * 35) = 218, and is
// allowed a half more. ucb1 must first dilute the mean of nearly 5000 plays: it loses 0.3 on most
// of the rounds.
TEST(SlidingWindowUcb, ForgetsTheBetterDaysOfAnArm) {
  const std::vector<double> before{0.9, 0.6}, after{0.3, 0.6};
  const test::MeansAt means = [&](std::uint64_t n) -> const std::vector<double>& {
    return n <= 5000 ? before : after;
  };
  const auto lost = [&](const Spec& spec) {
    const auto total = test::regret(spec, means, test::bernoulli, {5000, 8000});
    return total[1] - total[0];
  };
  EXPECT_LT(lost("sliding_window_ucb:reward_low=0"), 1.5 * 218);
  EXPECT_GT(lost("ucb1"), 0.3 * 2000);
}

TEST(SlidingWindowUcb, RefusesPlaysOfNoArmAndRewardsBeyondItsRange) {
  const auto policy = make("sliding_window_ucb:window=8");
  policy->reward(1, 0.5);
  const Tensors good = save_state(*policy);
  const auto refused = [&](const char* name, const auto value) {
    Tensors bad = good;
    for (Tensor& tensor : bad) {
      if (tensor.name == name) std::memcpy(tensor.bytes.data(), &value, sizeof value);
    }
    test::expect_error(ErrorKind::model_file, {name}, [&] { load_state(*policy, bad); });
  };
  refused("arm", std::uint64_t{2});
  refused("reward", 1.5);
  refused("reward", -1.5);
  refused("plays", ~std::uint64_t{0});
}

}  // namespace
}  // namespace plumbline::sliding_window_ucb_test
