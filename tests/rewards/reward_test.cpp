#include "plumbline/rewards/reward.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/rewards/registry.h"

namespace plumbline {
namespace {

TEST(Reward, IsTheRelativeDecreaseOfTheLoss) {
  const auto reward = rewards().make("log_loss");
  EXPECT_DOUBLE_EQ(reward->relative_decrease(0.8, 0.6), 0.25);
  EXPECT_DOUBLE_EQ(reward->relative_decrease(0.5, 1.0), -1);
  EXPECT_EQ(reward->relative_decrease(0.5, 0), 1);
}

TEST(Reward, StaysFiniteWhenTheLossWasNothing) {
  for (const auto& row : rewards().rows()) {
    const auto reward = rewards().make(Spec(row.name));
    EXPECT_EQ(reward->relative_decrease(0, 0), 0);
    EXPECT_EQ(reward->relative_decrease(0, 0.5), -1e6);
    EXPECT_EQ(reward->relative_decrease(1e-300, 1), -1e6);
  }
}

TEST(Reward, DoesNotFallBelowTheLowest) {
  const auto reward = rewards().make("cost:lowest=-1");
  EXPECT_EQ(reward->relative_decrease(0.1, 10), -1);
  EXPECT_EQ(reward->relative_decrease(0, 10), -1);
  EXPECT_DOUBLE_EQ(reward->relative_decrease(0.5, 0.75), -0.5);
}

TEST(Reward, MembersMeasureTheirOwnLoss) {
  const std::vector<double> p{0.2, 0.6};
  const std::vector<Label> y{0, 0};
  EXPECT_DOUBLE_EQ(rewards().make("log_loss")->loss(p, y), -(std::log(0.8) + std::log(0.4)) / 2);
  EXPECT_DOUBLE_EQ(rewards().make("brier")->loss(p, y), (0.04 + 0.36) / 2);
  EXPECT_DOUBLE_EQ(rewards().make("cost:false_positive=3")->loss(p, y), 0);  // 0.6 < 3/4
  EXPECT_DOUBLE_EQ(rewards().make("cost:false_negative=3")->loss(p, y), 0.5);
}

TEST(Reward, SaysWhichLossesItCompares) {
  EXPECT_EQ(rewards().make("log_loss")->on(), RewardOn::same_batch);
  EXPECT_EQ(rewards().make("brier:on=next_batch")->on(), RewardOn::next_batch);
  EXPECT_EQ(rewards().make("cost:on=running")->on(), RewardOn::running);
}

}  // namespace
}  // namespace plumbline
