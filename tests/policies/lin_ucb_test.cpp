#include "plumbline/policies/lin_ucb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::lin_ucb_test {
namespace {

using test::kTwo;
using test::make;

Context on(std::size_t place, double value) {
  Context context{};
  context[place] = value;
  return context;
}

// An arm that was only played without context is a mean of k rewards and one 0 (the ridge), with
// the width of k + 1 plays.
TEST(LinUcb, WithoutContextIsARidgedMean) {
  LinUcb policy({.alpha = 0.5}, kTwo, 1);
  EXPECT_EQ(policy.estimate(0, {}).mean, 0);
  EXPECT_EQ(policy.estimate(0, {}).padding, 0.5);
  for (const double reward : {0.5, 0.25, 0.75}) policy.reward(0, reward);
  EXPECT_DOUBLE_EQ(policy.estimate(0, {}).mean, 1.5 / 4);
  EXPECT_DOUBLE_EQ(policy.estimate(0, {}).padding, 0.5 * std::sqrt(1.0 / 4));
  EXPECT_EQ(policy.arms()[0].pulls, 3);
  EXPECT_EQ(policy.arms()[0].mean, 0.5);
}

// One play at x = (1, 1, 0, 0, 0) with reward 1 and ridge 1: A = I + xx', whose inverse is
// I - xx'/3. At z = (1, 0, 0, 0, 0) the mean is z'A^-1 x = 1/3 and z'A^-1 z = 2/3; at x they
// are 2/3 and 2/3; at (1, -1, 0, 0, 0), which x says nothing of, 0 and 2.
TEST(LinUcb, EstimatesAreThoseOfRidgeRegression) {
  LinUcb policy({.alpha = 1}, kTwo, 1);
  policy.reward_in(on(kSinceCalibration, 1), 0, 1);
  const auto expect = [&](const Context& context, double mean, double squared_width) {
    const LinUcb::Estimate estimate = policy.estimate(0, context);
    EXPECT_NEAR(estimate.mean, mean, 1e-15);
    EXPECT_NEAR(estimate.padding, std::sqrt(squared_width), 1e-15);
  };
  expect({}, 1.0 / 3, 2.0 / 3);
  expect(on(kSinceCalibration, 1), 2.0 / 3, 2.0 / 3);
  expect(on(kSinceCalibration, -1), 0, 2);
  EXPECT_EQ(policy.estimate(1, {}).mean, 0);  // arms learn for themselves
}

// Many plays with a linear reward: the coefficients come out whatever the order of the contexts.
TEST(LinUcb, LearnsALinearRewardInEveryPlace) {
  LinUcb policy({.ridge = 0.01}, kTwo, 1);
  const Context slope{0.3, -0.2, 0.1, 0.25};
  Rng rng(1, 0, 0);
  const auto earned = [&](const Context& context) {
    double sum = 0.1;
    for (std::size_t i = 0; i < kContextSize; ++i) sum += slope[i] * context[i];
    return sum;
  };
  for (int n = 0; n < 2000; ++n) {
    Context context;
    for (double& value : context) value = 2 * rng.uniform() - 1;
    policy.reward_in(context, 1, earned(context));
  }
  for (std::size_t i = 0; i < kContextSize; ++i) {
    // The ridge pulls by about 0.01/(2000/3).
    EXPECT_NEAR(policy.estimate(1, on(i, 1)).mean, earned(on(i, 1)), 1e-4);
  }
}

TEST(LinUcb, ForgettingFadesThePastOfEveryArmButNotTheRidge) {
  LinUcb policy({.alpha = 1, .ridge = 2, .forgetting = 0.5}, kTwo, 1);
  policy.reward(0, 1);
  policy.reward(1, 1);
  policy.reward(1, 1);
  EXPECT_EQ(policy.arms()[0].pulls, 0.25);
  EXPECT_EQ(policy.arms()[0].mean, 1);
  EXPECT_EQ(policy.arms()[1].pulls, 1.5);
  EXPECT_DOUBLE_EQ(policy.estimate(0, {}).mean, 0.25 / 2.25);
  for (int i = 0; i < 5000; ++i) policy.reward(1, 1);
  EXPECT_EQ(policy.arms()[0].pulls, 0);
  EXPECT_DOUBLE_EQ(policy.estimate(0, {}).padding, std::sqrt(0.5));
}

TEST(LinUcb, TiesGoToTheEarlierAction) {
  EXPECT_EQ(make("lin_ucb", test::kFour)->choose({.number = 2}), 0u);
}

TEST(LinUcb, ClipsRewards) {
  const auto low = make("lin_ucb"), lower = make("lin_ucb");
  low->reward_in(on(kDrift, 1), 0, -1);
  lower->reward_in(on(kDrift, 1), 0, -1e6);
  EXPECT_EQ(save_state(*low), save_state(*lower));
}

// The mean regret over runs of a bandit whose best arm is told by the calibration error: the first
// if it is below 1/2, the second if above, with a gap of |1 - 2c| between them.
double contextual_regret(const Spec& spec, std::uint64_t from, std::uint64_t to,
                         std::uint64_t swapped_after) {
  double regret = 0;
  for (std::uint64_t run = 1; run <= test::kRuns; ++run) {
    const auto policy = make(spec, kTwo, run);
    for (std::uint64_t n = 1; n <= to; ++n) {
      Rng rng(run, 77, n);
      const double c = rng.uniform();
      const Context context = on(kCalibrationError, c);
      const std::size_t arm = policy->choose({.number = n + 1, .context = context});
      const bool first = (arm == 0) == (n <= swapped_after);
      const double mean = first ? 0.5 - c : c - 0.5;
      policy->reward_in(context, arm, mean + 0.1 * rng.normal());
      if (n > from) regret += (std::abs(1 - 2 * c) / 2 - mean) / static_cast<double>(test::kRuns);
    }
  }
  return regret;
}

// Without the context nothing better than chance is possible: 1/4 per round. With it the regret of
// a linear model with d = 5 numbers grows like its square root at most: d sqrt(n ln n).
TEST(LinUcb, FindsTheBestArmOfEachContext) {
  EXPECT_GT(contextual_regret("ucb1", 0, 2000, 2000), 0.22 * 2000);
  const double first = contextual_regret("lin_ucb", 0, 1000, 2000);
  const double second = contextual_regret("lin_ucb", 1000, 2000, 2000);
  EXPECT_LT(first, 5 * std::sqrt(1000));
  EXPECT_LT(second, first / 2);
}

// When the arms change places, only a model that forgets follows within 1000 rounds.
TEST(LinUcb, ForgettingFollowsAChange) {
  const double forgetting = contextual_regret("lin_ucb:forgetting=0.98", 3000, 4000, 2000);
  const double remembering = contextual_regret("lin_ucb", 3000, 4000, 2000);
  EXPECT_LT(forgetting, 0.05 * 1000);
  EXPECT_GT(remembering, 2 * forgetting);
}

TEST(LinUcb, RefusesSumsThatNoPlaysCanHave) {
  const auto policy = make("lin_ucb");
  policy->reward_in(on(kLossTrend, 0.5), 0, 0.5);
  const Tensors good = save_state(*policy);
  ASSERT_EQ(good[0].name, "gram");
  const auto refused = [&](std::size_t which, std::size_t place, double value, const char* name) {
    Tensors bad = good;
    std::memcpy(bad[which].bytes.data() + place * sizeof value, &value, sizeof value);
    test::expect_error(ErrorKind::model_file, {name}, [&] { load_state(*policy, bad); });
  };
  refused(0, 0, 0.0, "'gram'");    // less than the ridge
  refused(0, 1, 50.0, "'gram'");   // beyond Cauchy-Schwarz
  refused(0, 0, 1e300, "'gram'");  // beyond any stream
  refused(1, 0, 1e300, "'moments'");
}

}  // namespace
}  // namespace plumbline::lin_ucb_test
