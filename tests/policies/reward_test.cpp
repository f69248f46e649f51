#include "plumbline/policies/reward.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/policies/reward_registry.h"

namespace plumbline::reward_test {
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

TEST(Reward, CostsNothingUnlessToldTo) {
  const auto reward = rewards().make("log_loss:train_cost=5,calibrate_cost=2");
  for (const double earned : {0.5, -3.0}) {
    EXPECT_EQ(reward->after_costs(earned, true, true), earned);
    EXPECT_EQ(reward->after_costs(earned, false, false), earned);
  }
}

TEST(Reward, APriceIsPaidForEachUnitOfCost) {
  const auto reward = rewards().make("brier:price=0.01,train_cost=5,calibrate_cost=2,lowest=-1");
  EXPECT_DOUBLE_EQ(reward->after_costs(0.25, true, false), 0.20);
  EXPECT_DOUBLE_EQ(reward->after_costs(0.25, false, true), 0.23);
  EXPECT_DOUBLE_EQ(reward->after_costs(0.25, true, true), 0.18);
  EXPECT_EQ(reward->after_costs(0, false, false), 0);  // so that skipping beats a gain below 0.02
  EXPECT_EQ(reward->after_costs(-1, true, true), -1);  // not below the lowest
}

TEST(Reward, PerCostIsTheGainPerUnitOfTheCheaperCost) {
  const auto reward = rewards().make("log_loss:per_cost=true,train_cost=6,calibrate_cost=2");
  EXPECT_DOUBLE_EQ(reward->after_costs(0.3, false, true), 0.3);
  EXPECT_DOUBLE_EQ(reward->after_costs(0.3, true, false), 0.1);
  EXPECT_DOUBLE_EQ(reward->after_costs(0.4, true, true), 0.1);
  EXPECT_EQ(reward->after_costs(0.3, false, false), 0.3);
  EXPECT_EQ(reward->after_costs(-0.3, true, false), -0.3);  // not better for being expensive
  // The price first: (0.6 - 0.05 * 6) / 3.
  const auto both =
      rewards().make("log_loss:per_cost=true,price=0.05,train_cost=6,calibrate_cost=2");
  EXPECT_DOUBLE_EQ(both->after_costs(0.6, true, false), 0.1);
}

TEST(Reward, StaysWithinItsBoundsForAnyCosts) {
  for (const char* spec : {"cost:per_cost=true,train_cost=0.001,calibrate_cost=1000",
                           "cost:per_cost=true,train_cost=1000,price=1"}) {
    const auto reward = rewards().make(spec);
    for (const double earned : {1.0, -1e6}) {
      for (const bool trained : {false, true}) {
        for (const bool calibrated : {false, true}) {
          EXPECT_LE(reward->after_costs(earned, trained, calibrated), 1);
          EXPECT_GE(reward->after_costs(earned, trained, calibrated), -1e6);
        }
      }
    }
  }
}

TEST(Reward, MembersMeasureTheirOwnLoss) {
  const std::vector<double> p{0.2, 0.6};
  const std::vector<Label> y{0, 0};
  EXPECT_DOUBLE_EQ(rewards().make("log_loss")->loss(p, y, {}),
                   -(std::log(0.8) + std::log(0.4)) / 2);
  EXPECT_DOUBLE_EQ(rewards().make("brier")->loss(p, y, {}), (0.04 + 0.36) / 2);
  EXPECT_DOUBLE_EQ(rewards().make("cost:false_positive=3")->loss(p, y, {}), 0);  // 0.6 < 3/4
  EXPECT_DOUBLE_EQ(rewards().make("cost:false_negative=3")->loss(p, y, {}), 0.5);
}

TEST(Reward, SaysWhichLossesItCompares) {
  EXPECT_EQ(rewards().make("log_loss")->on(), RewardOn::same_batch);
  EXPECT_EQ(rewards().make("brier:on=next_batch")->on(), RewardOn::next_batch);
  EXPECT_EQ(rewards().make("cost:on=running")->on(), RewardOn::running);
}

TEST(Reward, TheCostsOfTheExamplesComeBeforeThoseOfTheOptions) {
  const std::vector<double> p{0.2, 0.2, 0.6};
  const std::vector<Label> y{1, 1, 0};
  // Decided: no (0.2 < 1/2), yes (0.2 > 1/10), yes (0.6 > 1/2).
  const std::vector<Costs> costs{{1, 1}, {1, 9}, {7, 7}};
  const auto reward = rewards().make("cost:false_positive=100,false_negative=0.5");
  EXPECT_DOUBLE_EQ(reward->loss(p, y, costs), (1.0 + 0 + 7) / 3);
  EXPECT_DOUBLE_EQ(reward->loss(p, y, {}), (0.5 + 0.5 + 0) / 3);
  EXPECT_EQ(rewards().make("brier")->loss(p, y, costs), rewards().make("brier")->loss(p, y, {}));
}

}  // namespace
}  // namespace plumbline::reward_test
