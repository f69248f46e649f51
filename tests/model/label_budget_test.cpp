// The label budget: the model learns only the rows whose labels it asks for.
#include "plumbline/model/label_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "plumbline/model.h"
#include "tests/support.h"

namespace plumbline::label_budget_test {
namespace {

using test::expect_error;
using test::slice;

Config budgeted(double share, std::int64_t delay = 0, std::int64_t batch = 1,
                LabelChoice choice = LabelChoice::selective) {
  Config config;
  config.model.ensemble.size = 3;
  config.model.calibrator = "stack";
  config.model.companions = {"logistic_adaptive", "label_history"};
  config.model.policy = "always:action=both";
  config.model.actions = {Action::train, Action::calibrate, Action::both};
  config.batch = batch;
  config.label_delay = delay;
  config.label_budget = share;
  config.label_choice = choice;
  return config;
}

// Clouds by class; the last of several classes comes late.
Minibatch clouds(std::size_t rows, std::size_t classes) {
  Minibatch batch(3);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(7, 0, i);
    const bool all = classes == 2 || i > rows / 3;
    const auto label = static_cast<Label>(rng.below(all ? classes : classes - 1));
    const auto x = batch.add(label);
    for (double& value : x) value = rng.normal();
    x[0] += 2 * label;
  }
  return batch;
}

Schema schema_of(std::size_t classes) {
  Schema schema = Schema::numeric(3);
  for (std::size_t k = 0; classes > 2 && k < classes; ++k) {
    schema.classes.push_back("c" + std::to_string(k));
  }
  return schema;
}

struct Result {
  std::vector<double> probabilities;
  std::vector<std::uint8_t> asked;
};

Result run(Model& model, const Minibatch& data, std::size_t from, std::size_t to) {
  Result all;
  Predictions predictions;
  for (std::size_t at = from; at < to; at += model.batch_size()) {
    model.step(slice(data, at, std::min(to, at + model.batch_size())), predictions);
    all.probabilities.insert(all.probabilities.end(), predictions.probabilities.begin(),
                             predictions.probabilities.end());
    all.asked.insert(all.asked.end(), predictions.asked.begin(), predictions.asked.end());
  }
  return all;
}

Minibatch with_labels(const Minibatch& data, const auto& label) {
  Minibatch copy(data.columns());
  const Examples all = data.examples();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::copy(all.x.row(i), copy.add(label(i, all.y[i])).begin());
  }
  return copy;
}

TEST(LabelBudget, IsKeptAtAnyTimeAndSpent) {
  for (const LabelChoice choice : {LabelChoice::selective, LabelChoice::random}) {
    for (const double share : {0.03, 0.25, 0.9}) {
      for (const std::size_t classes : {2u, 3u}) {
        Model model(budgeted(share, 0, 1, choice), schema_of(classes));
        const Minibatch data = clouds(600, classes);
        const Result result = run(model, data, 0, data.rows());
        double asked = 0;
        for (std::size_t i = 0; i < data.rows(); ++i) {
          asked += result.asked[i];
          ASSERT_LE(asked, 1 + share * static_cast<double>(i) + 1e-9) << share << " row " << i;
        }
        // What is saved is spent soon, because it makes the choice less choosy.
        EXPECT_GE(asked, 600 * share - 8) << share;
        EXPECT_EQ(model.view().examples, static_cast<std::uint64_t>(asked));
      }
    }
  }
}

TEST(LabelBudget, OtherLabelsHaveNoEffect) {
  for (const std::size_t classes : {2u, 3u}) {
    for (const std::int64_t delay : {0, 9}) {
      const Minibatch data = clouds(400, classes);
      Model model(budgeted(0.2, delay, 5), schema_of(classes));
      const Result result = run(model, data, 0, data.rows());
      const auto other = with_labels(data, [&](std::size_t i, Label label) {
        return result.asked[i] == 1 ? label : static_cast<Label>((label + 1u) % classes);
      });
      Model again(model.config(), schema_of(classes));
      EXPECT_EQ(run(again, other, 0, other.rows()).probabilities, result.probabilities);
      EXPECT_EQ(save_state(again), save_state(model));
    }
  }
}

TEST(LabelBudget, LabelsComeLateWithADelay) {
  const Minibatch data = clouds(300, 2);
  constexpr std::size_t kDelay = 20;
  Model model(budgeted(0.3, kDelay), schema_of(2));
  const Result result = run(model, data, 0, data.rows());
  const auto asked = std::ranges::find(result.asked.begin() + 100, result.asked.end(), 1);
  const auto at = static_cast<std::size_t>(asked - result.asked.begin());
  const auto other = with_labels(data, [&](std::size_t i, Label label) {
    return i == at ? static_cast<Label>(1 - label) : label;
  });
  Model again(model.config(), schema_of(2));
  const Result changed = run(again, other, 0, other.rows());
  const auto differs = std::ranges::mismatch(changed.probabilities, result.probabilities).in1;
  EXPECT_EQ(static_cast<std::size_t>(differs - changed.probabilities.begin()), at + kDelay + 1);
}

TEST(LabelBudget, AsksMostlyAboutWhatIsUncertain) {
  const Minibatch data = clouds(2000, 2);
  const auto certainty = [&](LabelChoice choice) {
    Model model(budgeted(0.1, 0, 1, choice), schema_of(2));
    const Result result = run(model, data, 0, data.rows());
    double asked = 0, sum = 0;
    for (std::size_t i = 500; i < data.rows(); ++i) {
      if (result.asked[i] == 0) continue;
      ++asked;
      sum += std::abs(result.probabilities[i] - 0.5);
    }
    return sum / asked;
  };
  EXPECT_LT(certainty(LabelChoice::selective), 0.6 * certainty(LabelChoice::random));
}

// Of rows that are asked for at random, a third of 1000: five errors of 250 rows at least.
TEST(LabelBudget, KnowsTheShareOfPositives) {
  const Minibatch data = test::generate("sea:concept=3", 10000);
  Model model(budgeted(0.1), Schema::numeric(3));
  run(model, data, 0, data.rows());
  const double share = test::positive_rate(data);
  EXPECT_NEAR(model.positive_share().value(), share, test::five_errors(share, 250));
}

TEST(LabelBudget, AskAndLearnAreTheHalvesOfAStep) {
  for (const std::size_t classes : {2u, 3u}) {
    const Minibatch data = clouds(300, classes);
    Model whole(budgeted(0.3), schema_of(classes)), halves(budgeted(0.3), schema_of(classes));
    const Result expected = run(whole, data, 0, data.rows());
    Predictions predictions;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const Examples row = slice(data, i, i + 1);
      halves.ask(row.x, predictions);
      ASSERT_EQ(predictions.asked.size(), 1u);
      ASSERT_EQ(predictions.asked[0], expected.asked[i]);
      for (std::size_t k = 0; k < predictions.outputs; ++k) {
        // The running means of the encoder, which saw fewer rows, are not used: no value is missing.
        ASSERT_EQ(predictions.probabilities[k],
                  expected.probabilities[i * predictions.outputs + k]);
      }
      if (predictions.asked[0] == 1) halves.learn(row);
    }
  }
}

TEST(LabelBudget, LearnTakesEveryRow) {
  const Minibatch data = clouds(50, 2);
  Model model(budgeted(0.1), schema_of(2));
  model.learn(data.examples());
  EXPECT_EQ(model.view().examples, 50u);
  EXPECT_EQ(model.label_budget().rows(), 0u);
}

TEST(LabelBudget, PredictSpendsNothing) {
  const Minibatch data = clouds(100, 2);
  Model model(budgeted(0.1), schema_of(2));
  run(model, data, 0, 50);
  const Tensors before = save_state(model);
  model.predict(data.features());
  EXPECT_EQ(save_state(model), before);
}

TEST(LabelBudget, ResumesExactly) {
  for (const std::size_t classes : {2u, 3u}) {
    for (const std::int64_t delay : {0, 13}) {
      const Minibatch data = clouds(240, classes);
      Model whole(budgeted(0.3, delay), schema_of(classes));
      const Result expected = run(whole, data, 0, data.rows());
      for (const std::size_t cut : {1u, 20u, 77u, 200u}) {
        Model first(whole.config(), schema_of(classes));
        run(first, data, 0, cut);
        Model second = Model::from_bytes(first.to_bytes(), "the bytes");
        const Result rest = run(second, data, cut, data.rows());
        EXPECT_TRUE(std::ranges::equal(rest.asked, std::span(expected.asked).subspan(cut)));
        EXPECT_EQ(save_state(second), save_state(whole)) << classes << " after " << cut;
      }
    }
  }
}

// The learn budget counts the minibatches that have labels.
TEST(LabelBudget, IsBesideALearnBudget) {
  Config config = budgeted(0.5);
  config.model.learn_budget = 0.2;
  Model model(config, schema_of(2));
  const Minibatch data = clouds(400, 2);
  Predictions predictions;
  double rounds = 0, trained = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (const RoundRecord& record : model.step(slice(data, i, i + 1), predictions)) {
      ++rounds;
      trained += trains(record.action) ? 1 : 0;
    }
  }
  EXPECT_NEAR(rounds, 200, 8);
  EXPECT_EQ(trained, std::floor(1 + 0.2 * (rounds - 1) + 1e-9));
}

TEST(LabelBudget, OfOneIsNone) {
  const Minibatch data = clouds(100, 2);
  Config config = budgeted(1);
  Model model(config, schema_of(2));
  EXPECT_TRUE(run(model, data, 0, data.rows()).asked.empty());
  EXPECT_EQ(model.view().examples, 100u);
  Predictions predictions;
  expect_error(ErrorKind::config, {"label_budget"},
               [&] { model.ask(data.features(), predictions); });
}

TEST(LabelBudget, RefusesWhatIsWrong) {
  for (const char* bad : {"0", "-0.5", "1.01", "\"a\"", "null"}) {
    expect_error(ErrorKind::config, {"label_budget"},
                 [&] { overlay(preset("auto"), std::string(R"({"label_budget": )") + bad + "}"); });
  }
  for (const char* bad : {"\"all\"", "1"}) {
    expect_error(ErrorKind::config, {"label"},
                 [&] { overlay(preset("auto"), std::string(R"({"label_choice": )") + bad + "}"); });
  }
  Model model(budgeted(0.5, 3), schema_of(2));
  expect_error(ErrorKind::config, {"label_delay"}, [&] { model.learn(clouds(10, 2).examples()); });
}

TEST(LabelBudget, IsPartOfTheConfigurationIfThereIsALimit) {
  EXPECT_EQ(to_json(preset("auto")).find("label_budget"), std::string::npos);
  const Config config =
      overlay(preset("auto"), R"({"label_budget": 0.05, "label_choice": "random"})");
  const Config again = overlay(preset("fast"), to_json(config));
  EXPECT_EQ(again.label_budget, 0.05);
  EXPECT_EQ(again.label_choice, LabelChoice::random);
}

TEST(LabelBudget, AFileWithAnImpossibleStateIsRefused) {
  Model model(budgeted(0.5, 5), schema_of(2));
  const Minibatch data = clouds(40, 2);
  run(model, data, 0, data.rows());
  const auto refuses = [&](const std::string& name, std::size_t byte, unsigned value) {
    Tensors state = save_state(model);
    const auto found = std::ranges::find(state, name, &Tensor::name);
    ASSERT_NE(found, state.end()) << name;
    found->bytes[byte] = std::byte(value);
    Model other(model.config(), schema_of(2));
    expect_error(ErrorKind::model_file, {name.substr(name.rfind('.') + 1).c_str()},
                 [&] { load_state(other, state); });
  };
  refuses("label_budget.asked", 0, 41);
  refuses("label_budget.rows", 7, 255);
  refuses("pending.asked_at", 0, 99);
  refuses("pending.at_random", 0, 2);
}

}  // namespace
}  // namespace plumbline::label_budget_test
