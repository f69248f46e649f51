#include "plumbline/model/binary_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "plumbline/calibrator.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/generators/registry.h"
#include "plumbline/learner.h"
#include "plumbline/math/loss.h"
#include "plumbline/session.h"
#include "tests/ensemble/serial_boost.h"
#include "tests/support.h"

namespace plumbline::binary_model_test {
namespace {

using test::expect_error;

ModelConfig config_with(const Spec& policy, const Spec& learner = "gaussian_nb") {
  ModelConfig config;
  config.learner = learner;
  config.policy = policy;
  config.ensemble.size = 3;
  return config;
}

// Learns the data in minibatches of `batch` rows; the records of all rounds.
std::vector<RoundRecord> run(BinaryModel& model, const Minibatch& data, std::size_t batch) {
  std::vector<RoundRecord> records;
  for (std::size_t from = 0; from < data.rows(); from += batch) {
    records.push_back(model.learn(test::slice(data, from, std::min(data.rows(), from + batch))));
  }
  return records;
}

std::map<Action, int> count_actions(const std::vector<RoundRecord>& records) {
  std::map<Action, int> count;
  for (const RoundRecord& record : records) ++count[record.action];
  return count;
}

TEST(BinaryModel, PredictsAHalfBeforeAnyLearning) {
  const BinaryModel model(preset("paper").model, Schema::numeric(21));
  EXPECT_EQ(model.predict(test::waveform(4).features()), std::vector<double>(4, 0.5));
}

TEST(BinaryModel, TheFirstRoundTrainsWhateverThePolicy) {
  const Minibatch data = test::waveform(100);
  for (const Actions& actions :
       {Actions{Action::train, Action::calibrate}, Actions{Action::calibrate, Action::skip}}) {
    ModelConfig config = config_with("ucb1");
    config.actions = actions;
    BinaryModel model(config, Schema::numeric(21));
    EXPECT_EQ(model.learn(data.examples()).action, Action::train);
    EXPECT_GT(model.view().learners[0].correct_weight, 0);
    EXPECT_EQ(model.view().arms[0].estimate.pulls, 0);
  }
}

TEST(BinaryModel, AFixedPolicyCalibratesOnItsRounds) {
  BinaryModel model(config_with("fixed:every=3"), Schema::numeric(21));
  const auto records = run(model, test::waveform(500), 50);
  for (const RoundRecord& record : records) {
    EXPECT_EQ(record.action, record.round % 3 == 0 ? Action::calibrate : Action::train);
    EXPECT_FALSE(record.rewarded);
  }
}

// Algorithm 2 by hand, for a fixed policy: an ensemble and a calibrator driven from outside.
TEST(BinaryModel, IsTheEnsembleTheCalibratorAndThePolicyTogether) {
  const Minibatch data = test::waveform(400);
  const ModelConfig config = config_with("fixed:every=2");
  BinaryModel model(config, Schema::numeric(21));
  OnlineBoost ensemble = test::serial_boost(
      config.ensemble, [] { return learners().make("gaussian_nb", 21); }, config.seed);
  const auto calibrator = calibrators().make("platt", 1);
  std::vector<double> scores(40), by_hand(40), scores_out(40), probabilities(40);
  for (std::size_t round = 1; round <= 10; ++round) {
    const Examples batch = test::slice(data, 40 * (round - 1), 40 * round);
    ensemble.scores(batch.x, scores);
    calibrator->apply(scores, by_hand);
    calibrator->observe(batch.y);
    if (round % 2 == 0) {
      calibrator->calibrate(scores, batch.y);
    } else {
      ensemble.train(batch);
    }
    const RoundRecord record = model.step(batch, scores_out, probabilities);
    EXPECT_EQ(scores_out, scores);
    EXPECT_EQ(probabilities, by_hand);
    EXPECT_DOUBLE_EQ(record.loss, mean_loss(by_hand, batch.y, log_loss));
  }
}

TEST(BinaryModel, TheFirstRoundCanFitTheCalibratorToTheScoresAfterTraining) {
  const Minibatch data = test::waveform(80);
  const Examples first = test::slice(data, 0, 40), second = test::slice(data, 40, 80);
  ModelConfig config = config_with("always_train");
  config.first_round = FirstRound::train_then_calibrate;
  BinaryModel model(config, Schema::numeric(21));
  OnlineBoost ensemble = test::serial_boost(
      config.ensemble, [] { return learners().make("gaussian_nb", 21); }, config.seed);
  const auto calibrator = calibrators().make("platt", 1);
  std::vector<double> scores(40), by_hand(40);
  calibrator->observe(first.y);
  ensemble.train(first);
  ensemble.scores(first.x, scores);
  calibrator->calibrate(scores, first.y);
  ensemble.scores(second.x, scores);
  calibrator->apply(scores, by_hand);

  EXPECT_EQ(model.learn(first).action, Action::both);
  EXPECT_EQ(model.predict(second.x), by_hand);
  EXPECT_NE(by_hand, scores);
  EXPECT_EQ(model.learn(second).action, Action::train);
}

TEST(BinaryModel, SameBatchRewardIsTheDecreaseOfTheLossOnTheMinibatch) {
  const Minibatch data = test::waveform(400);
  BinaryModel model(config_with("ucb1"), Schema::numeric(21));
  for (std::size_t from = 0; from < 400; from += 50) {
    const Examples batch = test::slice(data, from, from + 50);
    const double before = mean_loss(model.predict(batch.x), batch.y, log_loss);
    const RoundRecord record = model.learn(batch);
    const double after = mean_loss(model.predict(batch.x), batch.y, log_loss);
    EXPECT_DOUBLE_EQ(record.loss, before);
    EXPECT_EQ(record.rewarded, record.round > 1);
    EXPECT_DOUBLE_EQ(record.reward, record.rewarded ? 1 - after / before : 0);
  }
  double pulls = 0;
  for (const ArmEstimate& arm : model.view().arms) pulls += arm.estimate.pulls;
  EXPECT_EQ(pulls, 7);
}

TEST(BinaryModel, NextBatchAndRunningRewardsComeARoundLater) {
  const Minibatch data = test::waveform(300);
  for (const char* on : {"next_batch", "running"}) {
    ModelConfig config = config_with("ucb1");
    config.reward = Spec("brier").set("on", std::string(on));
    BinaryModel model(config, Schema::numeric(21));
    const auto records = run(model, data, 50);
    for (const RoundRecord& record : records) EXPECT_FALSE(record.rewarded);
    const auto history = model.view().history;
    double sum = records[0].loss;
    for (std::size_t i = 1; i + 1 < history.size(); ++i) {
      const double running = (sum + records[i].loss) / static_cast<double>(i + 1);
      const double next =
          (sum + records[i].loss + records[i + 1].loss) / static_cast<double>(i + 2);
      const double expected = std::string(on) == "next_batch"
                                  ? 1 - records[i + 1].loss / records[i].loss
                                  : 1 - next / running;
      EXPECT_TRUE(history[i].rewarded);
      EXPECT_NEAR(history[i].reward, expected, 1e-12);
      sum += records[i].loss;
    }
    EXPECT_FALSE(history.front().rewarded);  // the first round is nobody's choice
    EXPECT_FALSE(history.back().rewarded);   // the last one is not settled yet
  }
}

// A reward goes to the arm that was played, whenever it is known.
TEST(BinaryModel, RewardsArePaidToTheArmThatEarnedThem) {
  for (const char* on : {"same_batch", "next_batch", "running"}) {
    ModelConfig config = config_with("ucb1");
    config.actions = {Action::skip, Action::calibrate, Action::train};
    config.reward = Spec("brier").set("on", std::string(on));
    BinaryModel model(config, Schema::numeric(21));
    run(model, test::waveform(1000), 50);
    const BinaryView view = model.view();
    ASSERT_EQ(view.arms.size(), 3u);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_EQ(view.arms[a].action, config.actions[a]);
      double pulls = 0, sum = 0;
      for (const RoundRecord& record : view.history) {
        if (!record.rewarded || record.action != config.actions[a]) continue;
        pulls += 1;
        sum += record.reward;
      }
      EXPECT_GT(pulls, 0) << on;
      EXPECT_EQ(view.arms[a].estimate.pulls, pulls) << on;
      EXPECT_NEAR(view.arms[a].estimate.mean, sum / pulls, 1e-12) << on;
    }
  }
}

TEST(BinaryModel, TheRunningLossIsAMeanOverExamplesNotOverMinibatches) {
  const Minibatch data = test::waveform(180);
  ModelConfig config = config_with("ucb1");
  config.reward = "brier:on=running";
  BinaryModel model(config, Schema::numeric(21));
  const double first = model.learn(test::slice(data, 0, 100)).loss;
  const double second = model.learn(test::slice(data, 100, 160)).loss;
  const double third = model.learn(test::slice(data, 160, 180)).loss;
  const double before = (100 * first + 60 * second) / 160;
  const double after = (100 * first + 60 * second + 20 * third) / 180;
  EXPECT_NEAR(model.view().history[1].reward, 1 - after / before, 1e-12);
}

TEST(BinaryModel, RewardsAreWhatIsLeftAfterTheCostsOfTheAction) {
  const Minibatch data = test::waveform(1000);
  for (const char* on : {"same_batch", "next_batch", "running"}) {
    ModelConfig config =
        config_with("epsilon_greedy:epsilon=1");  // the same actions, whatever they earn
    config.actions = {Action::train, Action::calibrate, Action::both, Action::skip};
    config.reward = Spec("log_loss").set("on", std::string(on));
    BinaryModel free(config, Schema::numeric(21));
    config.reward.set("price", 0.01).set("train_cost", 3.0).set("calibrate_cost", 2.0);
    BinaryModel paid(config, Schema::numeric(21));
    run(free, data, 20);
    run(paid, data, 20);
    std::map<Action, double> cost{{Action::train, 3}, {Action::calibrate, 2}, {Action::both, 5}};
    std::map<Action, int> seen;
    for (std::size_t i = 1; i + 1 < 50; ++i) {
      const RoundRecord without = free.view(0).history[i], with = paid.view(0).history[i];
      ASSERT_EQ(with.action, without.action);
      EXPECT_NEAR(with.reward, without.reward - 0.01 * cost[with.action], 1e-12) << on;
      ++seen[with.action];
    }
    EXPECT_EQ(seen.size(), 4u);
  }
}

// At a price above what any minibatch earns, the policy learns to save its time.
TEST(BinaryModel, APolicySavesTimeWhereLearningDoesNotPay) {
  ModelConfig config = config_with("ucb1_improved");
  config.actions = {Action::both, Action::skip};
  const auto skipped = [&](const Spec& reward) {
    config.reward = reward;
    BinaryModel model(config, Schema::numeric(21));
    return count_actions(run(model, test::waveform(6000), 20))[Action::skip];
  };
  EXPECT_GT(skipped("log_loss:lowest=-1,price=0.5"), 240);  // of 300 rounds
  EXPECT_LT(skipped("log_loss:lowest=-1"), 150);
}

TEST(BinaryModel, GreedyKeepsWhatHelpsMostOnTheMinibatchAndTriesWithoutTrace) {
  const Minibatch data = test::waveform(300);
  BinaryModel greedy(config_with("greedy"), Schema::numeric(21));
  for (std::size_t from = 0; from < 300; from += 50) {
    const Examples batch = test::slice(data, from, from + 50);
    std::vector<double> losses;
    for (const Action action : {Action::train, Action::calibrate}) {
      // The same model, forced to take this action: a policy that has nothing else to choose.
      ModelConfig config = greedy.config();
      config.actions = {action};
      BinaryModel single(config, Schema::numeric(21));
      load_state(single, save_state(greedy));
      single.learn(batch);
      losses.push_back(mean_loss(single.predict(batch.x), batch.y, log_loss));
    }
    const RoundRecord record = greedy.learn(batch);
    if (record.round == 1) continue;
    EXPECT_EQ(record.action, losses[1] < losses[0] ? Action::calibrate : Action::train);
    EXPECT_DOUBLE_EQ(mean_loss(greedy.predict(batch.x), batch.y, log_loss),
                     std::min(losses[0], losses[1]));
  }
}

TEST(BinaryModel, BothCalibratesOnOutOfSampleScoresAndThenTrains) {
  const Minibatch data = test::waveform(100);
  ModelConfig config = config_with("ucb1");
  config.actions = {Action::both};
  BinaryModel model(config, Schema::numeric(21));
  OnlineBoost ensemble = test::serial_boost(
      config.ensemble, [] { return learners().make("gaussian_nb", 21); }, 1);
  const auto calibrator = calibrators().make("platt", 1);
  const Examples first = test::slice(data, 0, 50), second = test::slice(data, 50, 100);
  model.learn(first);
  ensemble.train(first);
  calibrator->observe(first.y);
  std::vector<double> scores(50);
  ensemble.scores(second.x, scores);
  calibrator->observe(second.y);
  calibrator->calibrate(scores, second.y);
  ensemble.train(second);
  EXPECT_EQ(model.learn(second).action, Action::both);
  std::vector<double> expected(50);
  ensemble.scores(second.x, expected);
  calibrator->apply(expected, expected);
  EXPECT_EQ(model.predict(second.x), expected);
}

TEST(BinaryModel, SkipLearnsNothing) {
  const Minibatch data = test::waveform(100);
  ModelConfig config = config_with("ucb1");
  config.actions = {Action::skip};
  BinaryModel model(config, Schema::numeric(21));
  model.learn(test::slice(data, 0, 50));
  const auto before = model.predict(data.features());
  const RoundRecord record = model.learn(test::slice(data, 50, 100));
  EXPECT_EQ(record.action, Action::skip);
  EXPECT_EQ(record.reward, 0);
  EXPECT_EQ(model.predict(data.features()), before);
}

TEST(BinaryModel, PoliciesChooseAmongMoreThanTwoActions) {
  const Minibatch data = test::waveform(3000);
  for (const char* policy : {"ucb1", "thompson", "discounted_thompson", "greedy"}) {
    ModelConfig config = config_with(policy);
    config.actions = {Action::train, Action::calibrate, Action::both, Action::skip};
    BinaryModel model(config, Schema::numeric(21));
    const auto count = count_actions(run(model, data, 20));
    EXPECT_GT(count.size(), std::string(policy) == "greedy" ? 1u : 3u) << policy;
  }
}

TEST(BinaryModel, TakesMinibatchesOfAnySize) {
  const Minibatch data = test::waveform(157);
  for (const std::size_t batch : {1u, 7u, 50u, 157u}) {
    BinaryModel model(config_with("ucb1"), Schema::numeric(21));
    const auto records = run(model, data, batch);
    EXPECT_EQ(model.view().examples, 157u);
    EXPECT_EQ(model.view().rounds, records.size());
    for (const double p : model.predict(data.features())) {
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1);
    }
  }
}

TEST(BinaryModel, AnEmptyMinibatchIsNoRound) {
  BinaryModel model(config_with("ucb1"), Schema::numeric(21));
  model.learn(test::waveform(50).examples());
  const auto before = save_state(model);
  const Minibatch empty(21);
  EXPECT_EQ(model.learn(empty.examples()).round, 0u);
  EXPECT_TRUE(model.predict(empty.features()).empty());
  EXPECT_EQ(save_state(model), before);
}

// Resampling draws for the ensemble (no policy draws here), Thompson sampling for the policy
// (a linear learner is not resampled).
TEST(BinaryModel, TheSeedReachesTheEnsembleAndThePolicy) {
  const Minibatch data = test::waveform(1000);
  const auto seeded = [&](const char* policy, const char* learner, std::uint64_t seed) {
    ModelConfig config = config_with(policy, learner);
    config.seed = seed;
    BinaryModel model(config, Schema::numeric(21));
    std::vector<Action> actions;
    for (const RoundRecord& record : run(model, data, 20)) actions.push_back(record.action);
    return std::pair(actions, model.predict(data.features()));
  };
  EXPECT_NE(seeded("fixed", "gaussian_nb", 1).second, seeded("fixed", "gaussian_nb", 2).second);
  EXPECT_EQ(seeded("fixed", "logistic", 1).second, seeded("fixed", "logistic", 2).second);
  EXPECT_NE(seeded("thompson", "logistic", 1).first, seeded("thompson", "logistic", 2).first);
}

TEST(BinaryModel, KeepsTheLastRoundsForInspection) {
  BinaryModel model(config_with("fixed:every=2"), Schema::numeric(21));
  const auto records = run(model, test::waveform(600), 2);
  const auto history = model.view().history;
  ASSERT_EQ(history.size(), 256);
  EXPECT_EQ(history.front().round, 300 - 256 + 1);
  EXPECT_EQ(history.back().round, 300u);
  EXPECT_EQ(history.back().loss, records.back().loss);
  EXPECT_EQ(history.back().action, Action::calibrate);
}

TEST(BinaryModel, ShowsTheCalibratorsCurve) {
  BinaryModel model(config_with("fixed:every=2"), Schema::numeric(21));
  const auto raw = model.view(5).curve;
  ASSERT_EQ(raw.size(), 5u);
  EXPECT_EQ(raw[1].score, 0.25);
  EXPECT_EQ(raw[1].probability, 0.25);
  ASSERT_EQ(model.view(1).curve.size(), 1u);
  EXPECT_EQ(model.view(1).curve[0].score, 0.5);
  run(model, test::waveform(500), 50);
  const auto curve = model.view(5).curve;
  EXPECT_NE(curve[1].probability, 0.25);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GT(curve[i].probability, curve[i - 1].probability);
}

// What the paper is about: calibration helps, on the paper's own waveform task.
TEST(BinaryModel, CalibrationImprovesTheLogLossOfBoosting) {
  const auto log_loss_of = [](const char* policy) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      ModelConfig config;
      config.policy = policy;
      config.seed = seed;
      const auto stream = generators().make("waveform", seed);
      Model model({.model = config}, stream->schema());
      Session session(*stream, model, {.limit = 3300});
      while (session.step()) {
        const auto labels = session.rows().examples().y;
        for (std::size_t i = 0; i < labels.size(); ++i) {
          sum += log_loss(session.predictions().probabilities[i], labels[i]) / (5 * 3300);
        }
      }
    }
    return sum;
  };
  const double uncalibrated = log_loss_of("always_train");
  EXPECT_LT(log_loss_of("fixed:every=4"), 0.95 * uncalibrated);
  EXPECT_LT(log_loss_of("ucb1"), 0.85 * uncalibrated);
  EXPECT_LT(log_loss_of("ucb1_improved"), 0.85 * uncalibrated);
}

// Rows that begin with an id and a time, which say nothing of the label; every 20th is positive.
Minibatch counted_rows(std::uint32_t stream) {
  Minibatch data(3);
  for (std::size_t i = 0; i < 5000; ++i) {
    Rng rng(1, stream, i);
    const auto x = data.add(i % 20 == 0 ? 1 : 0);
    x[0] = static_cast<double>(i + 1);
    x[1] = 1.7e9 + 60 * (static_cast<double>(i) + rng.uniform());
    x[2] = rng.normal();
  }
  return data;
}

TEST(BinaryModel, ThePresetAutoDoesNotExtrapolateAlongColumnsThatCountUp) {
  const auto said_of_the_first = [](const ModelConfig& config) {
    double sum = 0;
    for (std::uint32_t stream = 0; stream < 4; ++stream) {
      const Minibatch data = counted_rows(stream);
      BinaryModel model(config, Schema::numeric(3));
      for (std::size_t at = 2500; at < 5000; at += 10) model.learn(test::slice(data, at, at + 10));
      for (const double p : model.predict(test::slice(data, 0, 100).x)) sum += p / 400;
    }
    return sum;
  };
  ModelConfig config = preset("fast").model;
  EXPECT_LT(said_of_the_first(preset("auto").model), 0.1);
  EXPECT_LT(said_of_the_first(config), 0.1);
  for (Spec& companion : config.companions) companion.set("reach", 0.0);
  EXPECT_GT(said_of_the_first(config), 0.15);
}

TEST(BinaryModel, PaysByTheCostsOfTheExamples) {
  ModelConfig config = preset("paper").model;
  config.reward = "cost";
  const Minibatch batch = test::waveform(50);
  const std::vector<Costs> costs(50, Costs{.false_positive = 3, .false_negative = 8});
  BinaryModel with(config, Schema::numeric(21)), without(config, Schema::numeric(21));
  config.reward = "cost:false_positive=3,false_negative=8";
  BinaryModel by_option(config, Schema::numeric(21));
  Examples examples = batch.examples();
  without.learn(examples);
  by_option.learn(examples);
  examples.costs = costs;
  with.learn(examples);
  EXPECT_EQ(save_state(with), save_state(by_option));
  EXPECT_NE(save_state(with), save_state(without));
}

}  // namespace
}  // namespace plumbline::binary_model_test
