// The learn budget: at any time, at most its share of the minibatches has been trained.
#include "plumbline/model/budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plumbline/companions/companion.h"
#include "plumbline/model.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"
#include "tests/support.h"

namespace plumbline::learn_budget_test {
namespace {

using test::expect_error;
using test::slice;

constexpr std::size_t kBatch = 5;

ModelConfig budgeted(double share, const Spec& policy = "always:action=both") {
  ModelConfig config;
  config.ensemble.size = 3;
  config.calibrator = "platt_newton";
  config.actions = {Action::train, Action::calibrate, Action::both, Action::skip};
  config.policy = policy;
  config.learn_budget = share;
  return config;
}

// The names of the policies that keep to a budget.
std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& row : policies().rows()) {
    if (row.name != "greedy") list.push_back(row.name);
  }
  return list;
}

std::vector<RoundRecord> run(BinaryModel& model, const Minibatch& data, std::size_t from,
                             std::size_t to) {
  std::vector<RoundRecord> records;
  for (std::size_t at = from; at < to; at += kBatch) {
    records.push_back(model.learn(slice(data, at, at + kBatch)));
  }
  return records;
}

// Three classes by the first feature; the last one comes late.
Minibatch three_classes(std::size_t rows) {
  Minibatch batch(3);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(7, 0, i);
    const auto label = static_cast<Label>(rng.below(i < rows / 3 ? 2 : 3));
    const auto x = batch.add(label);
    for (double& value : x) value = rng.normal();
    x[0] += label;
  }
  return batch;
}

TEST(LearnBudget, SavesWhatIsNotSpent) {
  Budget budget(0.25);
  EXPECT_TRUE(budget.allows(1));
  budget.spend();
  EXPECT_FALSE(budget.allows(2));
  EXPECT_FALSE(budget.allows(4));
  EXPECT_TRUE(budget.allows(5));
  EXPECT_DOUBLE_EQ(budget.saved(13), 3);
}

TEST(LearnBudget, ABurstIsBeyondIt) {
  Budget budget(0.25, 3);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    EXPECT_TRUE(budget.allows(round));
    budget.spend();
  }
  EXPECT_FALSE(budget.allows(4));
  EXPECT_TRUE(budget.allows(5));
}

TEST(LearnBudget, RoundingDelaysNothing) {
  for (const int percent : {7, 14, 29, 57, 58, 93}) {
    Budget budget(percent / 100.0);
    for (int i = 0; i < percent; ++i) budget.spend();
    EXPECT_FALSE(budget.allows(100)) << percent;
    EXPECT_TRUE(budget.allows(101)) << percent;
  }
}

TEST(LearnBudget, EveryPolicyKeepsToItAtAnyTime) {
  const Minibatch data = test::waveform(kBatch * 150);
  for (const std::string& name : names()) {
    for (const auto& [share, burst] :
         {std::pair(0.05, 1), std::pair(0.05, 20), std::pair(0.5, 1), std::pair(0.93, 1)}) {
      ModelConfig config = budgeted(share, Spec(name));
      config.learn_burst = burst;
      BinaryModel model(config, Schema::numeric(21));
      double trained = 0;
      for (const RoundRecord& record : run(model, data, 0, data.rows())) {
        trained += trains(record.action) ? 1 : 0;
        const double most = burst + share * static_cast<double>(record.round - 1);
        ASSERT_LE(trained, most + 1e-9) << name << " " << share << " " << record.round;
      }
    }
  }
}

TEST(LearnBudget, APolicyThatAlwaysTrainsSpendsAll) {
  const Minibatch data = test::waveform(kBatch * 201);
  for (const char* policy : {"always:action=both", "always_train"}) {
    BinaryModel model(budgeted(0.2, policy), Schema::numeric(21));
    for (const RoundRecord& record : run(model, data, 0, data.rows())) {
      EXPECT_EQ(trains(record.action), record.round % 5 == 1) << record.round;
      const bool both = std::string(policy) != "always_train";
      if (!trains(record.action)) {
        EXPECT_EQ(record.action, both ? Action::calibrate : Action::skip);
      }
    }
  }
}

// Then nothing that costs changes: neither the ensemble nor a companion except the label history.
TEST(LearnBudget, NothingTrainsBeyondIt) {
  const Minibatch data = test::waveform(kBatch * 30);
  ModelConfig config = budgeted(1e-6);
  config.companions = {"logistic_adaptive", "forest:trees=3,nodes=15", "neighbors:rows=40,k=3",
                       "label_history"};
  config.calibrator = "stack";
  BinaryModel model(config, Schema::numeric(21));
  run(model, data, 0, kBatch);
  const Tensors before = save_state(model);
  const auto records = run(model, data, kBatch, data.rows());
  const Tensors after = save_state(model);
  ASSERT_EQ(before.size(), after.size());
  bool calibrated = false, followed = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = before[i].name;
    const bool same = before[i].bytes == after[i].bytes;
    if (name.starts_with("ensemble.companion4")) {
      followed = followed || !same;
    } else if (name.starts_with("ensemble.")) {
      EXPECT_TRUE(same) << name;
    } else if (name.starts_with("calibrator.")) {
      calibrated = calibrated || !same;
    }
  }
  EXPECT_TRUE(calibrated);
  EXPECT_TRUE(followed);
  EXPECT_TRUE(std::ranges::all_of(
      records, [](const RoundRecord& record) { return record.action == Action::calibrate; }));
}

TEST(LearnBudget, APolicyIsRewardedForItsChoicesOnly) {
  const Minibatch data = test::waveform(kBatch * 100);
  for (const char* on : {"same_batch", "next_batch"}) {
    ModelConfig config = budgeted(0.1, "ucb1");
    config.actions = {Action::both};
    config.reward = Spec("log_loss").set("on", std::string(on));
    BinaryModel model(config, Schema::numeric(21));
    double trained = 0;
    for (const RoundRecord& record : run(model, data, 0, data.rows())) {
      if (record.round > 1 && trains(record.action)) ++trained;
      if (!trains(record.action)) {
        EXPECT_FALSE(record.rewarded);
      }
    }
    EXPECT_EQ(trained, 9);
    EXPECT_EQ(model.arms()[0].estimate.pulls, trained) << on;
  }
}

TEST(LearnBudget, ResumesExactly) {
  const Minibatch data = test::waveform(kBatch * 60);
  for (const std::string& name : names()) {
    BinaryModel whole(budgeted(0.3, Spec(name)), Schema::numeric(21));
    run(whole, data, 0, data.rows());
    for (const std::size_t cut : {1u, 2u, 23u, 44u}) {
      BinaryModel first(whole.config(), whole.features());
      run(first, data, 0, cut * kBatch);
      BinaryModel second = test::resumed(first, save_state(first));
      run(second, data, cut * kBatch, data.rows());
      EXPECT_EQ(save_state(second), save_state(whole)) << name << " after " << cut;
    }
  }
}

TEST(LearnBudget, SeveralClassesKeepToItInEachPart) {
  const Minibatch data = three_classes(kBatch * 120);
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    ModelConfig config = budgeted(0.2);
    config.companions = {"forest:trees=3,nodes=15", "label_history"};
    config.calibrator = "stack";
    config.multiclass = scheme;
    MulticlassModel model(config, FeatureSpace(3), 3);
    std::vector<std::byte> forest;
    double companions = 0;
    for (std::size_t at = 0; at < data.rows(); at += kBatch) {
      model.learn(slice(data, at, at + kBatch));
      // A tensor that counts the rows of the forest changes when it trains.
      std::vector<std::byte> state;
      for (const Tensor& tensor : save_state(model)) {
        if (tensor.name.starts_with("companion1.")) {
          state.insert(state.end(), tensor.bytes.begin(), tensor.bytes.end());
        }
      }
      companions += state != forest ? 1 : 0;
      forest = std::move(state);
      const auto rounds = static_cast<double>(model.rounds());
      ASSERT_LE(companions, 1 + 0.2 * (rounds - 1) + 1e-9);
    }
    EXPECT_GE(companions, 20);
    for (const MulticlassModel::Part& part : model.parts()) {
      double trained = 0;
      for (const RoundRecord& record : part.model->view().history) {
        trained += trains(record.action) ? 1 : 0;
      }
      const double most = 1 + 0.2 * static_cast<double>(part.model->rounds() - 1);
      EXPECT_EQ(trained, std::floor(most + 1e-9));
    }
    MulticlassModel again = test::resumed(model, save_state(model));
    EXPECT_EQ(save_state(again), save_state(model));
  }
}

TEST(LearnBudget, RefusesWhatIsNotAShare) {
  for (const char* bad : {"0", "-0.5", "1.01", "1e300", "\"a\"", "null"}) {
    expect_error(ErrorKind::config, {"learn_budget"},
                 [&] { overlay(preset("auto"), std::string(R"({"learn_budget": )") + bad + "}"); });
  }
  for (const char* bad : {"0", "-3", "1.5", "2000000000", "\"a\""}) {
    expect_error(ErrorKind::config, {"learn_burst"},
                 [&] { overlay(preset("auto"), std::string(R"({"learn_burst": )") + bad + "}"); });
  }
  ModelConfig config = budgeted(std::nan(""));
  expect_error(ErrorKind::config, {"learn_budget"}, [&] { complete(config); });
}

TEST(LearnBudget, RefusesAPolicyThatTrainsToTryActions) {
  expect_error(ErrorKind::config, {"greedy", "learn_budget"},
               [] { BinaryModel(budgeted(0.5, "greedy"), Schema::numeric(2)); });
  expect_error(ErrorKind::config, {"greedy", "learn_budget"},
               [] { MulticlassModel(budgeted(0.5, "greedy"), FeatureSpace(2), 3); });
  BinaryModel(budgeted(1, "greedy"), Schema::numeric(2));
}

TEST(LearnBudget, IsPartOfTheConfigurationIfThereIsALimit) {
  EXPECT_EQ(to_json(preset("auto")).find("learn_budget"), std::string::npos);
  const Config config = overlay(preset("auto"), R"({"learn_budget": 0.05, "learn_burst": 7})");
  EXPECT_EQ(config.model.learn_budget, 0.05);
  EXPECT_EQ(overlay(preset("fast"), to_json(config)).model.learn_budget, 0.05);
  EXPECT_EQ(overlay(preset("fast"), to_json(config)).model.learn_burst, 7);
  EXPECT_EQ(config_from_json(to_json(config.model)).learn_budget, 0.05);
}

TEST(LearnBudget, AFileWithMoreTrainingThanRoundsIsRefused) {
  const Minibatch data = test::waveform(kBatch * 4);
  BinaryModel model(budgeted(0.5), Schema::numeric(21));
  run(model, data, 0, data.rows());
  Tensors state = save_state(model);
  const auto trained =
      std::ranges::find_if(state, [](const Tensor& tensor) { return tensor.name == "trained"; });
  ASSERT_NE(trained, state.end());
  trained->bytes[0] = std::byte{5};
  expect_error(ErrorKind::model_file, {"trained"}, [&] { test::resumed(model, state); });
}

}  // namespace
}  // namespace plumbline::learn_budget_test
