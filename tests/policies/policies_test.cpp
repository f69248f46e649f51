#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "plumbline/math/rng.h"
#include "plumbline/policies/thompson.h"
#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::policies_test {
namespace {

using test::bernoulli;
using test::expect_error;
using test::gaussian;
using test::kFour;
using test::kTwo;
using test::make;
using test::play;
using test::regret;

TEST(Fixed, CalibratesOnTheRoundsDivisibleByEvery) {
  const auto policy = make("fixed:every=4");
  for (std::uint64_t n = 2; n <= 40; ++n) {
    EXPECT_EQ(policy->choose({.number = n}), n % 4 == 0 ? 1u : 0u) << n;
  }
}

TEST(Fixed, CountsRoundsFromZeroIfToldTo) {
  const auto policy = make("fixed:every=4,from=0");
  for (std::uint64_t n = 2; n <= 40; ++n) {
    EXPECT_EQ(policy->choose({.number = n}), n % 4 == 1 ? 1u : 0u) << n;
  }
}

TEST(Fixed, FindsItsActionsWhereverTheyAre) {
  const auto policy = make("fixed:every=2", {Action::skip, Action::calibrate, Action::train});
  EXPECT_EQ(policy->choose({.number = 2}), 1u);
  EXPECT_EQ(policy->choose({.number = 3}), 2u);
}

TEST(Fixed, NeedsItsActions) {
  expect_error(ErrorKind::config, {"policy 'fixed' needs the action 'calibrate'"}, [] {
    make("fixed", {Action::train, Action::skip});
  });
  expect_error(ErrorKind::config, {"policy 'always_train' needs the action 'train'"},
               [] { make("always_train", {Action::calibrate}); });
}

TEST(Always, TakesTheActionThatItIsToldTo) {
  const Actions actions{Action::train, Action::both, Action::skip};
  EXPECT_EQ(policies().make("always:action=both", actions, 1)->choose({.number = 2}), 1u);
  EXPECT_EQ(policies().make("always:action=skip", actions, 1)->choose({.number = 3}), 2u);
  expect_error(ErrorKind::config, {"policy 'always'", "calibrate"},
               [&] { policies().make("always:action=calibrate", actions, 1); });
}

TEST(AlwaysTrain, Trains) {
  const auto policy = make("always_train", {Action::calibrate, Action::train});
  for (std::uint64_t n = 2; n < 20; ++n) EXPECT_EQ(policy->choose({.number = n}), 1u);
}

TEST(Greedy, TakesTheActionThatHelpedMostAndTheFirstOfEquals) {
  const auto policy = make("greedy", kFour);
  EXPECT_TRUE(policy->needs_trials());
  const std::vector<double> rewards{0.1, 0.4, -2, 0.4};
  EXPECT_EQ(policy->choose({.number = 2, .trial_rewards = rewards}), 1u);
}

TEST(Ucb1, PlaysEachArmOnceFirst) {
  for (const char* name :
       {"ucb1", "ucb1_improved", "discounted_ucb1", "discounted_ucb1_improved"}) {
    const auto policy = make(name, kFour);
    std::set<std::size_t> played;
    for (std::uint64_t n = 2; n < 6; ++n) {
      const std::size_t arm = policy->choose({.number = n});
      played.insert(arm);
      policy->reward(arm, arm == 2 ? 1 : 0);
    }
    EXPECT_EQ(played.size(), 4u) << name;
  }
}

// Two arms with means 1/2 and 0: after 4 and 1 pulls, n = 5. The bounds are 0.5 + sqrt(2 ln 5/4) =
// 1.397 and sqrt(2 ln 5) = 1.794 for ucb1; 0.5 + sqrt(ln 5/8) = 0.949 and sqrt(ln 5/2) = 0.897
// for ucb1_improved.
TEST(Ucb1, BoundsAreThoseOfThePapers) {
  for (const auto& [name, expected] : {std::pair{"ucb1", 1u}, std::pair{"ucb1_improved", 0u}}) {
    const auto policy = make(name);
    for (const double reward : {1.0, 0.0, 1.0, 0.0}) policy->reward(0, reward);
    policy->reward(1, 0);
    EXPECT_EQ(policy->choose({.number = 7}), expected) << name;
    EXPECT_EQ(policy->arms()[0].pulls, 4);
    EXPECT_EQ(policy->arms()[0].mean, 0.5);
  }
}

// The same pulls as above, with a mean of the first arm just below and just above the one at which
// the bounds are equal: m = sqrt(c ln 5)(1 - 1/2), 0.897 for c = 2 and 0.449 for c = 1/2.
TEST(Ucb1, PaddingIsTwoOrAHalf) {
  const auto choice = [](const char* name, double mean) {
    const auto policy = make(name);
    for (int i = 0; i < 4; ++i) policy->reward(0, mean);
    policy->reward(1, 0);
    return policy->choose({.number = 7});
  };
  EXPECT_EQ(choice("ucb1", 0.89), 1u);
  EXPECT_EQ(choice("ucb1", 0.91), 0u);
  EXPECT_EQ(choice("ucb1_improved", 0.44), 1u);
  EXPECT_EQ(choice("ucb1_improved", 0.46), 0u);
}

TEST(Ucb1, AnArmThatWasNeverPlayedHasTheMeanZero) {
  const auto policy = make("ucb1");
  EXPECT_EQ(policy->arms()[0].pulls, 0);
  EXPECT_EQ(policy->arms()[0].mean, 0);
}

TEST(Ucb1, TiesGoToTheEarlierAction) {
  const auto policy = make("ucb1", kFour);
  for (std::size_t arm = 0; arm < 4; ++arm) policy->reward(arm, 0.25);
  EXPECT_EQ(policy->choose({.number = 6}), 0u);
}

// The recursion of Algorithm "normts", step by step.
TEST(Thompson, PosteriorsFollowAlgorithmNormts) {
  Thompson policy({}, kTwo, 1);
  double mean[2] = {0, 0}, variance[2] = {1, 1};
  constexpr double kNoise = 1;
  const std::pair<std::size_t, double> plays[] = {{0, 0.3}, {1, -2}, {0, 0.7}, {0, -0.1}, {1, 4}};
  for (const auto& [arm, reward] : plays) {
    policy.reward(arm, reward);
    const double m = mean[arm], v = variance[arm];
    mean[arm] = (m * kNoise + reward * v) / (kNoise + v);
    variance[arm] = v * kNoise / (v + kNoise);
    for (std::size_t a = 0; a < 2; ++a) {
      EXPECT_NEAR(policy.posterior(a).mean, mean[a], 1e-15);
      EXPECT_NEAR(policy.posterior(a).variance, variance[a], 1e-15);
    }
  }
}

// The prior stays N(0, 1): after k pulls N(R/(sigma^2 + k), sigma^2/(sigma^2 + k)).
TEST(Thompson, SigmaIsTheStandardDeviationOfTheRewards) {
  Thompson policy({.sigma = 3}, kTwo, 1);
  EXPECT_EQ(policy.posterior(0).mean, 0);
  EXPECT_EQ(policy.posterior(0).variance, 1);
  policy.reward(0, 2);
  policy.reward(0, 3);
  EXPECT_DOUBLE_EQ(policy.posterior(0).mean, 5.0 / 11);
  EXPECT_DOUBLE_EQ(policy.posterior(0).variance, 9.0 / 11);
}

TEST(Thompson, DrawsFromThePosteriorsInTheStreamOfThePolicy) {
  Thompson policy({}, kTwo, 9);
  for (int i = 0; i < 8; ++i) policy.reward(0, 0.5);
  for (std::uint64_t n = 2; n < 100; ++n) {
    Rng rng(9, kPolicyStream, n);
    const double first = 4.0 / 9 + std::sqrt(1.0 / 9) * rng.normal(), second = rng.normal();
    EXPECT_EQ(policy.choose({.number = n}), second > first ? 1u : 0u) << n;
  }
}

TEST(Thompson, DiscountingKeepsThePosteriorWide) {
  const auto plain = make("thompson"), discounted = make("discounted_thompson");
  for (int i = 0; i < 500; ++i) {
    plain->reward(0, 0.5);
    discounted->reward(0, 0.5);
  }
  EXPECT_EQ(plain->arms()[0].pulls, 500);
  EXPECT_NEAR(discounted->arms()[0].pulls, 20, 1e-6);  // 1/(1 - 0.95)
  EXPECT_NEAR(discounted->arms()[0].mean, 10.0 / 21, 1e-6);
}

TEST(Thompson, DrawsDependOnTheSeedAndTheRoundAlone) {
  const auto a = make("thompson", kTwo, 1), b = make("thompson", kTwo, 1);
  const auto other = make("thompson", kTwo, 2);
  int differ = 0;
  for (std::uint64_t n = 2; n < 100; ++n) {
    EXPECT_EQ(a->choose({.number = n}), b->choose({.number = n}));
    EXPECT_EQ(a->choose({.number = n}), a->choose({.number = n}));
    differ += a->choose({.number = n}) != other->choose({.number = n}) ? 1 : 0;
  }
  EXPECT_GT(differ, 20);  // with equal posteriors about half of the choices differ
}

TEST(Discount, FadesThePlayedArmOrAllArmsWithOrWithoutTheCounts) {
  const auto after = [](const char* spec) {
    const auto policy = make(spec);
    policy->reward(0, 8);
    policy->reward(1, 4);
    policy->reward(1, 4);
    return policy->arms();
  };
  const auto played = after("discounted_ucb1:gamma=0.5");
  EXPECT_EQ(played[0].pulls, 1);
  EXPECT_EQ(played[0].mean, 8);
  EXPECT_EQ(played[1].pulls, 1.5);
  EXPECT_EQ(played[1].mean, 4);
  const auto all = after("discounted_ucb1:gamma=0.5,discount=all");
  EXPECT_EQ(all[0].pulls, 0.25);
  EXPECT_EQ(all[0].mean, 8);
  const auto uncounted = after("discounted_ucb1:gamma=0.5,discount_counts=false");
  EXPECT_EQ(uncounted[1].pulls, 2);
  EXPECT_EQ(uncounted[1].mean, 3);
}

TEST(Discount, BoundsMayStandOnTheSumOfTheRewards) {
  const auto policy = make("discounted_ucb1:gamma=0.5,estimate=sum");
  policy->reward(0, 8);
  policy->reward(0, 8);
  policy->reward(1, 1);
  EXPECT_EQ(policy->arms()[0].pulls, 1.5);
  EXPECT_EQ(policy->arms()[0].mean, 12);
  EXPECT_EQ(policy->choose({.number = 5}), 0u);
}

// The paper's observation: once ahead, an arm stays ahead, whatever the padding of the other.
TEST(Discount, SumsTrapABoundInOneAction) {
  const auto last_other = [](const char* spec) {
    const auto policy = make(spec);
    std::uint64_t last = 0;
    for (std::uint64_t n = 2; n < 500; ++n) {
      const std::size_t arm = policy->choose({.number = n});
      if (arm == 1) last = n;
      policy->reward(arm, arm == 0 ? 0.5 : 0.45);
    }
    return last;
  };
  EXPECT_LT(last_other("discounted_ucb1:estimate=sum"), 50u);
  EXPECT_GT(last_other("discounted_ucb1:estimate=mean"), 100u);
}

// Auer et al. (2002), Theorem 1.
double ucb1_bound(const std::vector<double>& means, double n) {
  const double best = *std::max_element(means.begin(), means.end());
  double bound = 0;
  for (const double mean : means) {
    const double gap = best - mean;
    if (gap > 0) bound += 8 * std::log(n) / gap + (1 + M_PI * M_PI / 3) * gap;
  }
  return bound;
}

TEST(Regret, OfUcb1StaysWithinTheKnownBound) {
  for (const std::vector<double>& means :
       {std::vector{0.6, 0.4}, std::vector{0.9, 0.8}, std::vector{0.2, 0.5, 0.4, 0.1}}) {
    const auto measured = regret("ucb1", means, bernoulli, {100, 1000, 10000});
    EXPECT_LE(measured[0], ucb1_bound(means, 100));
    EXPECT_LE(measured[1], ucb1_bound(means, 1000));
    EXPECT_LE(measured[2], ucb1_bound(means, 10000));
  }
}

// A regret of c ln n grows by the same amount from one power of ten to the next; a linear one would
// grow ten times as much. Early rounds bend the curve, so up to twice as much is allowed.
TEST(Regret, GrowsLikeTheLogarithmOfTheRounds) {
  const std::vector<std::uint64_t> at{1000, 10000, 100000};
  for (const char* name : {"ucb1", "ucb1_improved"}) {
    const auto measured = regret(name, {0.7, 0.3}, bernoulli, at);
    EXPECT_GT(measured[1], measured[0]) << name;
    EXPECT_LT(measured[2] - measured[1], 2 * (measured[1] - measured[0])) << name;
    EXPECT_LT(measured[2], 0.01 * 0.4 * 100000) << name;
  }
  const auto thompson = regret("thompson", {1, 0}, gaussian, at);
  EXPECT_LT(thompson[2] - thompson[1], 2 * (thompson[1] - thompson[0]));
  EXPECT_LT(thompson[2], 0.01 * 100000);
}

// The mean rewards of the two arms change after 2000 rounds, so that the second becomes the better
// one. How many rounds until it has been played in 15 of the last 20?
using Means = std::array<double, 2>;

std::uint64_t rounds_to_follow(const char* spec, const Means& before, const Means& after,
                               std::uint64_t seed) {
  constexpr std::uint64_t kChange = 2000, kNever = 2000;
  std::uint64_t followed = kNever;
  std::vector<std::size_t> arms;
  const auto policy = make(spec, kTwo, seed);
  play(
      *policy, kChange + kNever,
      [&](std::uint64_t n, std::size_t arm, Rng& rng) {
        return (n <= kChange ? before : after)[arm] + 0.1 * rng.normal();
      },
      seed,
      [&](std::uint64_t n, std::size_t arm) {
        arms.push_back(arm);
        if (n < kChange + 20 || followed != kNever) return;
        if (std::count(arms.end() - 20, arms.end(), 1) >= 15) followed = n - kChange;
      });
  return followed;
}

TEST(Discount, FollowsAChangeOfTheBestArmWithin100Rounds) {
  for (const char* spec : {"discounted_ucb1", "discounted_ucb1_improved", "discounted_thompson",
                           "discounted_ucb1:discount=all", "discounted_ucb1_improved:discount=all",
                           "discounted_thompson:discount=all"}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      EXPECT_LE(rounds_to_follow(spec, {0.9, 0.1}, {0.1, 0.9}, seed), 100u) << spec << seed;
      EXPECT_LE(rounds_to_follow(spec, {2, 1}, {0, 1}, seed), 100u) << spec << seed;
    }
  }
}

// Without discounting the played arm's mean of 2 must first be diluted to below the other's 1.
TEST(Discount, WithoutItTheFallOfTheBestArmIsNoticedLate) {
  for (const char* spec : {"ucb1", "ucb1_improved", "thompson"}) {
    EXPECT_GT(rounds_to_follow(spec, {2, 1}, {0, 1}, 1), 1000u) << spec;
  }
}

TEST(Policies, PlayEveryListOfActions) {
  for (const auto& row : policies().rows()) {
    for (const Actions& actions : {kTwo, kFour}) {
      const auto policy = make(Spec(row.name), actions);
      const std::vector<double> trials(actions.size(), 0.0);
      for (std::uint64_t n = 2; n < 200; ++n) {
        const std::size_t arm = policy->choose({.number = n, .trial_rewards = trials});
        ASSERT_LT(arm, actions.size()) << row.name;
        policy->reward(arm, n % 3 == 0 ? -1e6 : 0.5);
      }
      for (const ArmView& arm : policy->arms()) EXPECT_TRUE(std::isfinite(arm.mean)) << row.name;
    }
  }
}

TEST(Action, HasANameAndANameHasAnAction) {
  for (const Action action : kFour) EXPECT_EQ(action_named(name_of(action)), action);
  expect_error(ErrorKind::config, {"unknown action 'trian'", "did you mean 'train'?"},
               [] { action_named("trian"); });
}

TEST(Policies, RefuseAStateWithNegativePulls) {
  const auto policy = make("ucb1");
  policy->reward(1, 0.5);
  Tensors state = save_state(*policy);
  ASSERT_EQ(state[0].name, "pulls");
  const double negative = -1;
  std::memcpy(state[0].bytes.data() + 8, &negative, sizeof negative);
  expect_error(ErrorKind::model_file, {"'pulls'", "holds -1"}, [&] { load_state(*policy, state); });
}

}  // namespace
}  // namespace plumbline::policies_test
