#include "plumbline/policies/context_tracker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/policies/lin_ucb.h"
#include "tests/support.h"

namespace plumbline::context_tracker_test {
namespace {

void observe_loss(ContextTracker& tracker, double loss) {
  tracker.observe(std::vector<double>{std::exp(-loss)}, std::vector<Label>{1}, loss);
}

TEST(ContextTracker, CountsTheRoundsSinceTheCalibratorLearned) {
  ContextTracker tracker;
  for (const double rounds : {0.0, 1.0, 2.0}) {
    observe_loss(tracker, 1);
    EXPECT_DOUBLE_EQ(tracker.context()[kSinceCalibration], rounds / (rounds + 10));
    tracker.acted(false);
  }
  tracker.acted(true);
  EXPECT_DOUBLE_EQ(tracker.context()[kSinceCalibration], 2.0 / 12);  // until the next round
  observe_loss(tracker, 1);
  EXPECT_EQ(tracker.context()[kSinceCalibration], 0);
}

// Two bins: 0.25 twice with one positive, a gap of -0.5; 0.95 once and positive, -0.05; of 3 in
// all. On the next round these keep 0.95, and 1 in the last bin brings 0 more.
TEST(ContextTracker, MeasuresTheCalibrationErrorInBinsThatFade) {
  ContextTracker tracker;
  tracker.observe(std::vector<double>{0.25, 0.25, 0.95}, std::vector<Label>{0, 1, 1}, 1);
  EXPECT_DOUBLE_EQ(tracker.context()[kCalibrationError], 0.55 / 3);
  tracker.observe(std::vector<double>{1.0}, std::vector<Label>{1}, 1);
  EXPECT_NEAR(tracker.context()[kCalibrationError], 0.95 * 0.55 / (0.95 * 3 + 1), 1e-15);
}

// Errors in both directions that cancel in the mean do not in the bins.
TEST(ContextTracker, SeesOverconfidenceOnBothSides) {
  ContextTracker tracker;
  tracker.observe(std::vector<double>{0, 0, 1, 1}, std::vector<Label>{0, 1, 0, 1}, 1);
  EXPECT_DOUBLE_EQ(tracker.context()[kCalibrationError], 0.5);
}

TEST(ContextTracker, ComparesAFastAverageOfTheLossWithASlowOne) {
  ContextTracker tracker;
  observe_loss(tracker, 0);
  EXPECT_EQ(tracker.context()[kLossTrend], 0);
  observe_loss(tracker, 1);
  EXPECT_DOUBLE_EQ(tracker.context()[kLossTrend], (0.2 - 0.02) / (0.2 + 0.02));
  observe_loss(tracker, 0);
  EXPECT_DOUBLE_EQ(tracker.context()[kLossTrend], (0.16 - 0.0196) / (0.16 + 0.0196));
  for (int i = 0; i < 30; ++i) observe_loss(tracker, 0);
  EXPECT_LT(tracker.context()[kLossTrend], 0);
}

TEST(ContextTracker, SignalsANewLevelOfTheLossAndItsDirection) {
  ContextTracker tracker;
  const auto rounds_to_signal = [&](double loss, double direction) {
    for (int n = 1; n <= 100; ++n) {
      observe_loss(tracker, loss);
      if (tracker.context()[kDrift] == direction) return n;
    }
    return 0;
  };
  for (int i = 0; i < 200; ++i) observe_loss(tracker, 0.2);
  EXPECT_EQ(tracker.context()[kDrift], 0);
  const int rise = rounds_to_signal(2, 1);
  EXPECT_GT(rise, 0);
  EXPECT_LT(rise, 40);
  // While the old values leave the window the signal is renewed; then it fades.
  for (int i = 0; i < 200; ++i) observe_loss(tracker, 2);
  EXPECT_LT(tracker.context()[kDrift], 1e-3);
  const int fall = rounds_to_signal(0.2, -1);
  EXPECT_GT(fall, 0);
  EXPECT_LT(fall, 40);
}

// Minibatches of 50 forecasts of 0.9, of which 90 % come true, then 75 %. The mean of l/(1 + l) rises
// from 0.155 to 0.246, with a variance of 0.05: ADWIN's bound is below that difference for 5000 old
// and 250 new examples, which are five rounds. The losses' order must not matter much: twice that.
TEST(ContextTracker, SignalsADriftOfLessThanTheWholeRange) {
  ContextTracker tracker;
  Rng rng(1, 79, 0);
  const auto round = [&](double share) {
    std::vector<Label> labels;
    for (int i = 0; i < 50; ++i) labels.push_back(rng.uniform() < share ? 1 : 0);
    const std::vector<double> forecasts(50, 0.9);
    tracker.observe(forecasts, labels, mean_loss(forecasts, labels, log_loss));
  };
  for (int n = 0; n < 100; ++n) {
    round(0.9);
    EXPECT_EQ(tracker.context()[kDrift], 0) << n;
  }
  int rounds = 0;
  while (tracker.context()[kDrift] != 1 && rounds < 100) {
    round(0.75);
    ++rounds;
  }
  EXPECT_LE(rounds, 10);
}

TEST(ContextTracker, StaysWithinItsBoundsForAnyLoss) {
  ContextTracker tracker;
  for (int n = 0; n < 300; ++n) {
    tracker.observe(std::vector<double>{n % 2 == 0 ? 0.0 : 1.0}, std::vector<Label>{1},
                    n % 50 < 25 ? 1e300 : 1e-300);
    tracker.acted(false);
    for (const double value : tracker.context()) ASSERT_TRUE(value >= -1 && value <= 1) << n;
  }
}

ModelConfig contextual(const std::string& on) {
  ModelConfig config;
  config.ensemble.size = 3;
  config.policy = "lin_ucb";
  config.reward = Spec("log_loss").set("on", on);
  return config;
}

// Everything that the policy was told, told again: it must have chosen and learned by these
// contexts, those of the rounds of the choices, however late the rewards came.
TEST(ContextTracker, RewardsAreLearnedInTheContextOfTheirRound) {
  constexpr std::size_t kBatch = 20, kRounds = 40;
  const Minibatch data = test::waveform(kBatch * kRounds);
  for (const char* on : {"same_batch", "next_batch", "running"}) {
    BinaryModel model(contextual(on), Schema::numeric(21));
    std::vector<Context> contexts;
    for (std::size_t n = 0; n < kRounds; ++n) {
      model.learn(test::slice(data, n * kBatch, (n + 1) * kBatch));
      contexts.push_back(model.view().context.value());
    }
    LinUcb policy({}, model.config().actions, 1);
    for (const RoundRecord& record : model.view().history) {
      if (record.round == 1) continue;
      const Context& context = contexts[record.round - 1];
      const std::size_t arm = policy.choose({.number = record.round, .context = context});
      EXPECT_EQ(model.config().actions[arm], record.action) << on << record.round;
      if (record.rewarded) policy.reward_in(context, arm, record.reward);
    }
    const auto arms = model.view().arms;
    for (std::size_t a = 0; a < arms.size(); ++a) {
      EXPECT_GT(arms[a].estimate.pulls, 0);
      EXPECT_EQ(arms[a].estimate.pulls, policy.arms()[a].pulls) << on;
      EXPECT_EQ(arms[a].estimate.mean, policy.arms()[a].mean) << on;
    }
  }
}

// The context of the last choice is state while its reward is pending.
TEST(ContextTracker, AModelResumesAtEveryCutWithRewardsPending) {
  constexpr std::size_t kBatch = 20, kRounds = 30;
  const Minibatch data = test::waveform(kBatch * kRounds);
  const auto learn = [&](BinaryModel& model, std::size_t round) {
    model.learn(test::slice(data, round * kBatch, (round + 1) * kBatch));
  };
  BinaryModel whole(contextual("next_batch"), Schema::numeric(21));
  std::vector<Tensors> states;
  for (std::size_t round = 0; round < kRounds; ++round) {
    states.push_back(save_state(whole));
    learn(whole, round);
  }
  for (std::size_t cut = 0; cut < kRounds; ++cut) {
    BinaryModel resumed = test::resumed(whole, states[cut]);
    for (std::size_t round = cut; round < kRounds; ++round) learn(resumed, round);
    EXPECT_EQ(save_state(resumed), save_state(whole)) << cut;
  }
}

TEST(ContextTracker, IsNotKeptForAPolicyThatDoesNotAsk) {
  const Minibatch data = test::waveform(100);
  const auto count_tensors = [&](const Spec& policy) {
    ModelConfig config = contextual("same_batch");
    config.policy = policy;
    BinaryModel model(config, Schema::numeric(21));
    for (std::size_t from = 0; from < 100; from += 20)
      model.learn(test::slice(data, from, from + 20));
    EXPECT_EQ(model.view().context.has_value(), policy.name == "lin_ucb");
    int count = 0;
    for (const Tensor& tensor : save_state(model))
      count += tensor.name.starts_with("context.") ? 1 : 0;
    return count;
  };
  EXPECT_EQ(count_tensors("ucb1"), 0);
  EXPECT_GT(count_tensors("lin_ucb"), 0);
}

TEST(ContextTracker, RefusesStateBeyondItsBounds) {
  ContextTracker tracker;
  observe_loss(tracker, 1);
  const Tensors good = save_state(tracker);
  const auto refused = [&](const char* name, const auto value) {
    Tensors bad = good;
    for (Tensor& tensor : bad) {
      if (tensor.name == name) std::memcpy(tensor.bytes.data(), &value, sizeof value);
    }
    test::expect_error(ErrorKind::model_file, {name}, [&] { load_state(tracker, bad); });
  };
  refused("context", 1.5);
  refused("count", -1.0);
  refused("gap", 1e300);
  refused("fast_loss", -1.0);
  refused("slow_loss", -1.0);
  refused("since_calibration", ~std::uint64_t{0});
  refused("adwin.sum", 2.0);
}

}  // namespace
}  // namespace plumbline::context_tracker_test
