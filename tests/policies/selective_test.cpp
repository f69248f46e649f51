#include "plumbline/policies/selective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/rng.h"
#include "tests/policies/support.h"
#include "tests/support.h"

namespace plumbline::selective_test {
namespace {

using test::expect_error;
using test::make;

const Actions kBothOrNot{Action::calibrate, Action::both};

TEST(RankWindow, CountsTheValuesBelowAndHalfOfTheEqual) {
  RankWindow window(4);
  EXPECT_EQ(window.rank(0.1), 1);
  for (const double value : {9.0, 1.0, 2.0, 2.0, 3.0}) window.add(value);  // 9 has left
  EXPECT_EQ(window.rank(0), 0);
  EXPECT_EQ(window.rank(1), 0.125);
  EXPECT_EQ(window.rank(2), 0.5);
  EXPECT_EQ(window.rank(2.5), 0.75);
  EXPECT_EQ(window.rank(4), 1);
}

TEST(Schedule, TrainsOnTheFirstRoundsAndOnAPartOfEachPeriod) {
  const auto policy = make("schedule:first=3,every=4,train=2", kBothOrNot);
  std::string trained;
  for (std::uint64_t n = 2; n <= 12; ++n) trained += policy->choose({.number = n}) == 1 ? 't' : '.';
  EXPECT_EQ(trained, "tttt..tt..t");
  const auto never = make("schedule:train=0", kBothOrNot);
  for (std::uint64_t n = 2; n < 20; ++n) EXPECT_EQ(never->choose({.number = n}), 0u);
}

TEST(Schedule, TakesTheActionsOfTheList) {
  const auto arms = [](const Actions& actions) {
    const TrainOrNot found(actions, "a policy");
    return std::pair(actions[found.train], actions[found.otherwise]);
  };
  using Pair = std::pair<Action, Action>;
  EXPECT_EQ(arms({Action::train, Action::calibrate}), Pair(Action::train, Action::calibrate));
  EXPECT_EQ(arms({Action::train, Action::skip, Action::both, Action::calibrate}),
            Pair(Action::both, Action::calibrate));
  EXPECT_EQ(arms({Action::skip, Action::both}), Pair(Action::both, Action::skip));
  for (const char* name : {"schedule", "selective"}) {
    expect_error(ErrorKind::config, {name, "needs the action 'train'"}, [&] {
      make(name, {Action::calibrate, Action::skip});
    });
    expect_error(ErrorKind::config, {name, "needs the action 'skip'"}, [&] {
      make(name, {Action::both, Action::train});
    });
  }
}

// Rounds with the given uncertainties; whether each trains, with as much saved.
std::string choices(Policy& policy, std::span<const double> uncertainties, double budget,
                    double saved) {
  std::string trained;
  std::uint64_t number = 1;
  for (const double u : uncertainties) {
    const Round round{.number = ++number, .uncertainty = u, .learn_budget = budget, .saved = saved};
    policy.observe(round);
    trained += policy.choose(round) == 1 ? 't' : '.';
  }
  return trained;
}

TEST(Selective, TrainsOnTheLeastCertainMinibatches) {
  std::vector<double> uncertainties;
  for (int i = 0; i < 100; ++i) uncertainties.push_back(0.001 * ((i * 37) % 100));
  uncertainties.insert(uncertainties.end(), {0.0885, 0.0905, 0.6});
  const auto last = [&](const char* spec, double budget, double saved) {
    return choices(*make(spec, kBothOrNot), uncertainties, budget, saved).substr(100);
  };
  EXPECT_EQ(last("selective", 0.1, 1), ".tt");  // the best tenth
  EXPECT_EQ(last("selective", 0.1, 1.2), "ttt");
  EXPECT_EQ(last("selective", 0.1, 0.9), "...");  // less than one is saved
  EXPECT_EQ(last("selective", 1, 1), "ttt");
}

TEST(Selective, ComparesWithTheLatestRoundsOnly) {
  std::vector<double> uncertainties(30, 0.6);
  uncertainties.resize(40, 0.1);
  uncertainties.push_back(0.2);
  EXPECT_EQ(choices(*make("selective:window=10", kBothOrNot), uncertainties, 0.1, 1).back(), 't');
  EXPECT_EQ(choices(*make("selective:window=40", kBothOrNot), uncertainties, 0.1, 1).back(), '.');
}

TEST(Selective, TrainsAtFirst) {
  const std::vector<double> falling{0.6, 0.5, 0.4, 0.3};
  EXPECT_EQ(choices(*make("selective", kBothOrNot), falling, 0.1, 1), "tttt");
}

// The share of the budget is spent on any distribution of uncertainties.
TEST(Selective, SpendsTheBudget) {
  for (const double budget : {0.02, 0.1, 0.5, 0.9}) {
    for (const int kind : {0, 1, 2}) {
      const auto policy = make("selective", kBothOrNot);
      double spent = 1;
      constexpr std::uint64_t kRounds = 20000;
      for (std::uint64_t n = 2; n <= kRounds; ++n) {
        const double u = Rng(3, 9, n).uniform();
        const double uncertainty = kind == 0   ? 0.6 * u
                                   : kind == 1 ? 0.3
                                               : 0.6 / static_cast<double>(n);
        const double saved = 1 + budget * static_cast<double>(n - 1) - spent;
        const Round round{
            .number = n, .uncertainty = uncertainty, .learn_budget = budget, .saved = saved};
        policy->observe(round);
        if (policy->choose(round) == 1) ++spent;
      }
      // Equal and falling values have a rank of at most 1/2: it trains when 1/budget are saved, or before.
      EXPECT_NEAR(spent, budget * kRounds, 1 / budget + 2) << budget << " " << kind;
    }
  }
}

}  // namespace
}  // namespace plumbline::selective_test
