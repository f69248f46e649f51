#include "paper/experiment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "paper/plan.h"
#include "paper/study.h"
#include "plumbline/io/source.h"
#include "plumbline/math/loss.h"
#include "plumbline/model/binary_model.h"
#include "tests/paper/small_data.h"
#include "tests/support.h"

namespace plumbline::paper::experiment_test {
namespace {

using test::expect_error;
using PaperData = small_data::PaperData;
using PaperPlan = small_data::PaperPlan;

// Some rows of a task, in this order.
Minibatch rows_of(const Task& task, std::span<const std::size_t> order) {
  Minibatch batch(task.features());
  const Examples all = task.examples();
  for (const std::size_t i : order) std::ranges::copy(all.x.row(i), batch.add(all.y[i]).begin());
  return batch;
}

Minibatch all_rows(const Task& task, std::uint64_t seed) { return rows_of(task, task.order(seed)); }

TEST_F(PaperData, ATaskKeepsTheFirstRowsOfTheLargerClass) {
  const DataSet& set = data_set("mushroom");
  // Class 0: rows 0, 1, 2, 3, 5; class 1: rows 4, 6. The first feature of row i is 7 i mod 11, of
  // class 1 unless i is a multiple of 5 with 4 more.
  write(set, {"0", "0", "0", "0", "1", "0", "1"});
  const Task task(set, path("mushroom.csv"), {});
  EXPECT_EQ(task.rows(), 4u);
  std::multiset<double> firsts;
  const Minibatch rows = all_rows(task, 1);
  for (std::size_t i = 0; i < 4; ++i) firsts.insert(rows.features().row(i)[0]);
  EXPECT_EQ(firsts, (std::multiset<double>{0, 7, 10, 13}));
}

TEST_F(PaperData, OrARandomDrawOfThemForEachRun) {
  const DataSet& set = data_set("mushroom");
  std::vector<std::string> classes = by_turns(200, {"0"});
  for (std::size_t i = 0; i < 10; ++i) classes[i * 20] = "1";
  write(set, classes);
  const Task task(set, path("mushroom.csv"), {.balance = Balance::random});
  EXPECT_EQ(task.rows(), 20u);
  for (const std::uint64_t seed : {1u, 2u}) {
    const Minibatch rows = all_rows(task, seed);
    EXPECT_EQ(rows.rows(), 20u);
    EXPECT_EQ(std::count(rows.examples().y.begin(), rows.examples().y.end(), 1), 10);
  }
  EXPECT_NE(task.order(1), task.order(2));
  EXPECT_EQ(task.order(1), task.order(1));
}

TEST_F(PaperData, StreamsThatChangeKeepAllRowsInTheirOrder) {
  const DataSet& set = data_set("forest");
  write(set, by_turns(30, {"1", "2", "7"}));
  const Task task(set, path("forest.csv"), {});
  EXPECT_EQ(task.rows(), 30u);
  const auto order = task.order(5);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  const Minibatch rows = all_rows(task, 5);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(rows.examples().y[i], i % 3 == 1 ? 1 : 0);
}

TEST_F(PaperData, StandardisingTakesAllRowsOfTheFileEvenThoseOfOtherClasses) {
  const DataSet& set = data_set("landsat");  // class 3 against class 0
  write(set, by_turns(60, {"3", "0", "5"}));
  const Task raw(set, path("landsat.csv"), {}),
      scaled(set, path("landsat.csv"), {.standardise = true});
  ASSERT_EQ(raw.rows(), 40u);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const double x = static_cast<double>((i * 7 + 3) % 11);  // the second feature of row i
    sum += x;
    squares += x * x;
  }
  const double mean = sum / 60, deviation = std::sqrt(squares / 60 - mean * mean);
  const Minibatch a = all_rows(raw, 1), b = all_rows(scaled, 1);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(b.features().row(i)[1], (a.features().row(i)[1] - mean) / deviation, 1e-12);
  }
}

TEST_F(PaperData, AFileThatIsNotTheDataSetIsRefused) {
  const DataSet& set = data_set("mushroom");
  std::ofstream(path("few.csv")) << "a,b\n1,0\n";
  expect_error(ErrorKind::data,
               {"few.csv, line 2", "'mushroom' has 21 features and a label", "2 fields"},
               [&] { Task(set, path("few.csv"), {}); });
  write(set, by_turns(10, {"1"}));
  expect_error(ErrorKind::data, {"'mushroom' needs rows of two classes"},
               [&] { Task(set, path("mushroom.csv"), {}); });
}

TEST_F(PaperData, ARunIsTestThenLearnInMinibatches) {
  const DataSet& set = data_set("mushroom");
  write(set, by_turns(230, {"0", "1"}));
  const Task task(set, path("mushroom.csv"), {});
  ModelConfig config = preset("paper").model;
  config.policy = "fixed:every=2";
  const RunResult result = run_experiment(task, config, 3, {.trace = true});

  config.seed += 3;
  BinaryModel model(config, Schema::numeric(21));
  const auto order = task.order(config.seed);
  double loss = 0;
  for (std::size_t at = 0; at < 230; at += 50) {
    const auto some = std::span(order).subspan(at, std::min<std::size_t>(50, 230 - at));
    const Minibatch batch = rows_of(task, some);
    const auto probabilities = model.predict(batch.features());
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      loss += log_loss(probabilities[i], batch.examples().y[i]);
    }
    model.learn(batch.examples());
  }
  EXPECT_DOUBLE_EQ(result.log_loss, loss / 230);
  EXPECT_EQ(result.calibrated, 0.4);  // rounds 2 and 4 of 5
  EXPECT_EQ(result.trace.minibatches, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(result.trace.log_loss.back(), result.log_loss);
  EXPECT_EQ(result.trace.calibrated, (std::vector<double>{0, 0.5, 1.0 / 3, 0.5, 0.4}));
  EXPECT_EQ(run_experiment(task, preset("paper").model, 0, {}).trace.minibatches.size(), 0u);
}

TEST_F(PaperData, ARunCanKeepTheReliabilityOfItsLastHalf) {
  const DataSet& set = data_set("mushroom");
  write(set, by_turns(230, {"0", "1"}));
  const Task task(set, path("mushroom.csv"), {});
  const RunResult result = run_experiment(task, preset("auto").model, 0, {.last_half = true});

  BinaryModel model(preset("auto").model, Schema::numeric(21));
  const auto order = task.order(preset("auto").model.seed);
  std::vector<double> last;
  std::vector<Label> labels;
  for (std::size_t at = 0; at < 230; at += 50) {
    const auto some = std::span(order).subspan(at, std::min<std::size_t>(50, 230 - at));
    const Minibatch batch = rows_of(task, some);
    const auto probabilities = model.predict(batch.features());
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      if (at + i < 115) continue;
      last.push_back(probabilities[i]);
      labels.push_back(batch.examples().y[i]);
    }
    model.learn(batch.examples());
  }
  const Consistency expected = consistency(last, labels);
  ASSERT_TRUE(result.last_half);
  ASSERT_EQ(result.last_half->bins.size(), expected.bins.size());
  for (std::size_t b = 0; b < expected.bins.size(); ++b) {
    const ConsistencyBin &ours = result.last_half->bins[b], &theirs = expected.bins[b];
    EXPECT_EQ(ours.bin.count, theirs.bin.count);
    EXPECT_EQ(ours.bin.mean_probability, theirs.bin.mean_probability);
    EXPECT_EQ(ours.simultaneous.high, theirs.simultaneous.high);
  }
  EXPECT_EQ(result.last_half->calibration_error, expected.calibration_error);
  EXPECT_FALSE(run_experiment(task, preset("auto").model, 0, {}).last_half);
}

TEST_F(PaperPlan, ResultsDoNotDependOnThreads) {
  Plan plan = small_plan();
  const std::string one = results_json(execute(plan, nullptr, {}, nullptr));
  plan.threads = 4;
  EXPECT_EQ(results_json(execute(plan, nullptr, {}, nullptr)), one);
  EXPECT_NE(one.find("\"fixed_14\""), std::string::npos);
}

TEST_F(PaperPlan, GoesOnAfterAnInterruptionWithTheSameResults) {
  const Plan plan = small_plan();
  const std::string whole = results_json(execute(plan, nullptr, {}, nullptr));
  std::atomic<bool> stop = false;
  std::size_t runs = 0;
  {
    Journal journal(path("runs.jsonl"), settings_json(plan));
    EXPECT_THROW(execute(
                     plan, &journal,
                     [&](double, std::size_t done, std::size_t) {
                       if (done == 20) stop = true;
                     },
                     &stop),
                 Interrupted);
  }
  std::ofstream(path("runs.jsonl"), std::ios::app) << "{\"run\": \"cut o";  // by a crash
  Journal journal(path("runs.jsonl"), settings_json(plan));
  const Results results = execute(
      plan, &journal,
      [&](double, std::size_t done, std::size_t) {
        if (runs == 0) {
          EXPECT_GE(done, 20u);
        }
        ++runs;
      },
      nullptr);
  EXPECT_EQ(results_json(results), whole);
  EXPECT_LE(runs, 2u * 2 * 14 * 2 - 20 + 1);
}

TEST_F(PaperPlan, RunsOfOtherSettingsAreNotMixedIn) {
  Plan plan = small_plan();
  { Journal journal(path("runs.jsonl"), settings_json(plan)); }
  plan.reading.balance = Balance::random;
  expect_error(ErrorKind::config, {"runs.jsonl", "other settings", "--overwrite"},
               [&] { Journal(path("runs.jsonl"), settings_json(plan)); });
  std::ofstream(path("other.jsonl")) << "a text\n";
  expect_error(ErrorKind::data, {"other.jsonl, line 1", "not a record of runs"},
               [&] { Journal(path("other.jsonl"), settings_json(plan)); });
}

TEST_F(PaperPlan, AMissingDataSetIsNamedBeforeAnythingRuns) {
  Plan plan = small_plan();
  plan.data_sets.push_back("spambase");
  expect_error(ErrorKind::io, {"missing", "spambase", "--data DIR"},
               [&] { execute(plan, nullptr, {}, nullptr); });
}

TEST(Reading, SetsTheRowsLearnerSizeAndPolicy) {
  Reading reading{.model = preset("paper").model};
  const auto config = [&](const char* name, const char* policy) {
    return to_json(config_of(reading, table(name), {policy, policy, Spec{policy}}));
  };
  const std::string naive = config("NB10_nonstationary", "ucb1");
  EXPECT_NE(naive.find("\"size\":25"), std::string::npos) << naive;
  EXPECT_NE(naive.find("\"variance_floor\":"), std::string::npos) << naive;
  reading.l1_memory = true;
  const std::string l1 = config("LR10_stationary_lambda_0_01", "discounted_ucb1");
  EXPECT_NE(l1.find("\"alpha\":0.01"), std::string::npos) << l1;
  EXPECT_NE(l1.find("\"l1_memory\":true"), std::string::npos) << l1;
  EXPECT_NE(l1.find("\"estimate\":\"sum\""), std::string::npos) << l1;
}

TEST(Study, ThePresetIsOneOfItsReadings) {
  const Choices choices = paper_choices();
  ASSERT_EQ(choices.size(), open_points().size());
  EXPECT_EQ(reading_json(make_reading(choices)),
            reading_json(Reading{.model = preset("paper").model}));
}

TEST(Study, TheFirstChoicesAreThePresetLiteral) {
  ModelConfig model = literal_reading().model;
  EXPECT_EQ(to_json(model), to_json(preset("literal").model));
  EXPECT_EQ(literal_reading().estimate, "mean");
  EXPECT_TRUE(literal_reading().l1_memory);
}

TEST(Study, EveryChoiceIsAReadingOfItsOwn) {
  const Choices paper = paper_choices();
  std::set<std::string> texts;
  std::size_t count = 0;
  for (std::size_t p = 0; p < open_points().size(); ++p) {
    for (std::size_t c = 0; c < open_points()[p].choices.size(); ++c) {
      Choices choices = paper;
      if (choices[p] == c) continue;
      choices[p] = c;
      texts.insert(reading_json(make_reading(choices)));
      ++count;
    }
  }
  EXPECT_EQ(texts.size(), count);
}

TEST(Study, SearchesAndChecksOnDifferentDataSets) {
  std::set<std::string> sets(search_data_sets().begin(), search_data_sets().end());
  for (const std::string& set : check_data_sets()) EXPECT_TRUE(sets.insert(set).second) << set;
}

}  // namespace
}  // namespace plumbline::paper::experiment_test
