#include "plumbline/policies/exp3.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::exp3_test {
namespace {

using test::as;
using test::kTwo;
using test::make;

// Two arms, gamma = 1/2. A reward of 1 for the first, drawn with p = 1/2, multiplies its weight by
// exp(1/2 / (1/2 * 2)) = sqrt(e); the next one, drawn with p, by exp(1/2 / (2p)).
TEST(Exp3, WeightsGrowAsInThePaper) {
  const auto policy = make("exp3:gamma=0.5,reward_low=0");
  auto& exp3 = as<Exp3>(*policy);
  EXPECT_EQ(exp3.probabilities(), (std::vector<double>{0.5, 0.5}));
  exp3.reward(0, 1);
  double weight = std::exp(0.5);
  double p = 0.5 * weight / (weight + 1) + 0.25;
  EXPECT_NEAR(exp3.probabilities()[0], p, 1e-15);
  exp3.reward(0, 1);
  weight *= std::exp(0.5 / (2 * p));
  p = 0.5 * weight / (weight + 1) + 0.25;
  EXPECT_NEAR(exp3.probabilities()[0], p, 1e-15);
  exp3.reward(1, 0);  // the lowest reward earns no weight
  EXPECT_NEAR(exp3.probabilities()[0], p, 1e-15);
}

// The same, and then e share/2 times the sum of the weights before the reward for every arm.
TEST(Exp3, SharesWeightAsInThePaper) {
  const auto policy = make("exp3s:gamma=0.5,share=0.25,reward_low=0");
  as<Exp3>(*policy).reward(0, 1);
  const double everyone = std::numbers::e * 0.25 / 2 * 2;
  const double first = std::exp(0.5) + everyone, second = 1 + everyone;
  EXPECT_NEAR(as<Exp3>(*policy).probabilities()[0], 0.5 * first / (first + second) + 0.25, 1e-15);
}

TEST(Exp3, DrawsTheArmsByTheirProbabilities) {
  const auto policy = make("exp3:gamma=0.2", test::kFour, 3);
  policy->reward(2, 1);
  policy->reward(2, 1);
  policy->reward(1, 0.5);
  const std::vector<double> p = as<Exp3>(*policy).probabilities();
  std::array<double, 4> count{};
  constexpr double kRounds = 20000;
  for (std::uint64_t n = 2; n < 2 + static_cast<std::uint64_t>(kRounds); ++n) {
    count[policy->choose({.number = n})] += 1;
  }
  for (std::size_t a = 0; a < 4; ++a) {
    EXPECT_NEAR(count[a] / kRounds, p[a], test::five_errors(p[a], kRounds)) << a;
  }
}

// Rewards below reward_low are the same to it, and so are those above reward_high.
TEST(Exp3, ClipsRewards) {
  const auto low = make("exp3"), lower = make("exp3"), other = make("exp3");
  low->reward(0, -1);
  lower->reward(0, -1e6);
  other->reward(0, -0.9);
  EXPECT_EQ(save_state(*low), save_state(*lower));
  EXPECT_NE(save_state(*low), save_state(*other));
  EXPECT_EQ(low->arms()[0].mean, -1);
}

TEST(Exp3, NoArmIsEverForgotten) {
  const auto policy = make("exp3:gamma=0.1");
  for (int i = 0; i < 100000; ++i) policy->reward(0, 1);
  EXPECT_NEAR(as<Exp3>(*policy).probabilities()[1], 0.05, 1e-12);
  // It has lost 5e-2 * 1e5 in the logarithm, where the weight itself would be 0.
  policy->reward(1, 1);
  load_state(*policy, save_state(*policy));
  EXPECT_NEAR(as<Exp3>(*policy).probabilities()[1], 0.05, 1e-12);
}

using Sequence = std::vector<std::array<double, 2>>;

double best_total(const Sequence& rewards) {
  double first = 0, second = 0;
  for (const auto& round : rewards) {
    first += round[0];
    second += round[1];
  }
  return std::max(first, second);
}

// What a policy earns from a sequence that was written down beforehand, on average over its seeds.
double earned(const Spec& spec, const Sequence& rewards) {
  double total = 0;
  for (std::uint64_t run = 1; run <= test::kRuns; ++run) {
    const auto policy = make(spec, kTwo, run);
    test::play(
        *policy, rewards.size(),
        [&](std::uint64_t n, std::size_t arm, Rng&) { return rewards[n - 1][arm]; }, run,
        [&](std::uint64_t n, std::size_t arm) { total += rewards[n - 1][arm]; });
  }
  return total / static_cast<double>(test::kRuns);
}

// Written against a policy without chance: whatever it will play earns nothing, the other arm 1.
Sequence written_against(const Spec& spec, std::size_t rounds) {
  Sequence sequence;
  const auto policy = make(spec, kTwo);
  for (std::uint64_t n = 1; n <= rounds; ++n) {
    const std::size_t arm = policy->choose({.number = n + 1});
    sequence.push_back({arm == 0 ? 0.0 : 1.0, arm == 1 ? 0.0 : 1.0});
    policy->reward(arm, 0);
  }
  return sequence;
}

// Theorem 3.1 holds for any sequence; the mean of 40 runs of a total whose standard deviation is
// at most sqrt(2000)/2 strays by less than 5 * 22/sqrt(40) = 18.
TEST(Exp3, RegretOnAnySequenceIsWithinTheBound) {
  constexpr double kGamma = 0.05;
  constexpr std::size_t kRounds = 2000;
  Sequence constant(kRounds, {0.2, 0.8}), late(kRounds, {0.5, 0});
  for (std::size_t n = kRounds / 4; n < kRounds; ++n) late[n] = {0.5, 1};
  for (const Sequence& sequence : {constant, late, written_against("ucb1", kRounds)}) {
    const double best = best_total(sequence);
    const double bound = (std::numbers::e - 1) * kGamma * best + 2 * std::log(2) / kGamma;
    EXPECT_LE(best - earned("exp3:gamma=0.05,reward_low=0", sequence), bound + 18);
    // A policy that does not learn would be beyond it, but for the last sequence.
    if (sequence == constant) {
      EXPECT_GT(best - 0.5 * kRounds, bound + 18);
    }
  }
}

TEST(Exp3, EarnsHalfOfWhatLeavesUcb1WithNothing) {
  const Sequence trap = written_against("ucb1", 2000);
  EXPECT_EQ(earned("ucb1", trap), 0);
  EXPECT_GT(earned("exp3:reward_low=0", trap), 0.45 * 2000);
}

// The best arm changes every 2000 rounds. For the arm of each of h stretches exp3s loses at most
// K/gamma (h ln(K/share) + e share T) + (e - 1) gamma T (the paper's section 8).
TEST(Exp3, SharingFollowsChangesOfTheBestArm) {
  constexpr std::size_t kRounds = 8000;
  const std::vector<double> before{0.9, 0.1}, after{0.1, 0.9};
  const test::MeansAt means = [&](std::uint64_t n) -> const std::vector<double>& {
    return (n - 1) / 2000 % 2 == 0 ? before : after;
  };
  const double bound = 2 / 0.1 * (4 * std::log(2 / 0.001) + std::numbers::e * 0.001 * kRounds) +
                       (std::numbers::e - 1) * 0.1 * kRounds;
  const double sharing = test::regret("exp3s:reward_low=0", means, test::bernoulli, {kRounds})[0];
  const double plain = test::regret("exp3:reward_low=0", means, test::bernoulli, {kRounds})[0];
  EXPECT_LT(sharing, bound);
  EXPECT_LT(bound, 0.4 * kRounds);  // what playing any arm would lose
  EXPECT_LT(sharing, plain / 2);
}

TEST(Exp3, RefusesImpossibleWeights) {
  const auto policy = make("exp3");
  policy->reward(0, 0.5);
  const Tensors good = save_state(*policy);
  for (const double wrong : {0.5, -0.5, -1e300}) {
    Tensors bad = good;
    ASSERT_EQ(bad.back().name, "log_weights");
    std::memcpy(bad.back().bytes.data(), &wrong, sizeof wrong);  // was 0, the largest
    test::expect_error(ErrorKind::model_file, {"'log_weights'"}, [&] { load_state(*policy, bad); });
  }
}

}  // namespace
}  // namespace plumbline::exp3_test
