// A steady stream allocates nothing: once minibatches of a size have been seen, neither learning nor
// predicting nor reading further ones calls operator new. Not so with labels of more than 15 characters, whose
// text is kept to predict, and with files that are read ahead, whose blocks are new ones.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plumbline/encoding/row_costs.h"
#include "plumbline/evaluation/recorder.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/read_ahead.h"
#include "plumbline/io/source.h"
#include "plumbline/io/time.h"
#include "plumbline/metrics.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"
#include "plumbline/online_calibrator.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"
#include "tests/conformance/configurations.h"
#include "tests/conformance/counted_memory.h"
#include "tests/support.h"

namespace plumbline::allocation_test {
namespace {

// Enough for every policy to have tried every action, and for ADWIN and SampledStream to be past
// their beginning.
constexpr std::size_t kWarmUp = 100;
constexpr std::size_t kMeasured = 200;
constexpr std::size_t kBatch = 20;

template <class Body>
std::int64_t allocations_of(const Body& body) {
  const std::int64_t before = test::allocations();
  body();
  return test::allocations() - before;
}

// Minibatches of clouds, one for each class, that repeat after 16.
class Clouds {
 public:
  explicit Clouds(std::size_t classes) : data_(3) {
    Rng rng(1, 0, 0);
    for (std::size_t i = 0; i < 16 * kBatch; ++i) {
      const auto y = static_cast<Label>(rng.below(classes));
      for (double& x : data_.add(y)) x = rng.normal() + y;
    }
  }
  Examples batch(std::size_t number) const {
    const std::size_t from = number % 16 * kBatch;
    return test::slice(data_, from, from + kBatch);
  }

 private:
  Minibatch data_;
};

std::vector<test::NamedConfig> configurations() {
  std::vector<test::NamedConfig> list = test::configurations();
  for (const Preset& preset : presets()) list.push_back({"preset_" + preset.name, preset.config});
  return list;
}

class Allocation : public ::testing::TestWithParam<test::NamedConfig> {};

TEST_P(Allocation, NoneToLearn) {
  if (GetParam().name == "policy_greedy") {
    GTEST_SKIP() << "tries actions on the state as it was, which it saves and loads as a file does";
  }
  const Clouds clouds(2);
  BinaryModel model(GetParam().config, Schema::numeric(3));
  std::vector<double> scores(kBatch), probabilities(kBatch);
  const auto learn = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) model.step(clouds.batch(i), scores, probabilities);
  };
  learn(0, kWarmUp);
  EXPECT_EQ(allocations_of([&] { learn(kWarmUp, kWarmUp + kMeasured); }), 0);
}

TEST_P(Allocation, NoneToPredict) {
  const Clouds clouds(2);
  BinaryModel model(GetParam().config, Schema::numeric(3));
  std::vector<double> scores(kBatch), probabilities(kBatch);
  const auto predict = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      model.predict(clouds.batch(i).x, scores, probabilities);
      model.predict(clouds.batch(i).x, {}, probabilities);
    }
  };
  for (std::size_t i = 0; i < kWarmUp; ++i) model.learn(clouds.batch(i));
  predict(0, 1);
  EXPECT_EQ(allocations_of([&] { predict(1, kMeasured); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Every, Allocation, ::testing::ValuesIn(configurations()),
                         [](const auto& test) { return test.param.name; });

class CalibratorAllocation : public ::testing::TestWithParam<OnlineCalibratorOptions> {};

TEST_P(CalibratorAllocation, NoneToPredictAndLearnScores) {
  OnlineCalibrator calibrator(GetParam());
  const std::size_t width = calibrator.width(), outputs = calibrator.outputs();
  std::vector<double> scores(kBatch * width), probabilities(kBatch * outputs);
  std::vector<Label> labels(kBatch);
  Rng rng(1, 0, 0);
  for (double& score : scores) score = rng.uniform();
  for (Label& label : labels) label = static_cast<Label>(rng.below(GetParam().classes));
  const std::span<const double> row = std::span(scores).first(width);
  const std::span<double> p = std::span(probabilities).first(outputs);
  const auto learn = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      calibrator.predict(scores, probabilities);
      calibrator.learn(scores, labels);
      calibrator.step(scores, labels, probabilities);
      calibrator.predict_next(row, p);
      calibrator.learn_last(labels[0]);
    }
  };
  learn(kWarmUp);
  EXPECT_EQ(allocations_of([&] { learn(kMeasured); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Every, CalibratorAllocation,
                         ::testing::Values(OnlineCalibratorOptions{},
                                           OnlineCalibratorOptions{.scores = 3,
                                                                   .inputs = {ScoreInput::score}},
                                           OnlineCalibratorOptions{.scores = 2, .classes = 5},
                                           OnlineCalibratorOptions{.label_delay = 30}));

class MulticlassAllocation : public ::testing::TestWithParam<Multiclass> {
 protected:
  MulticlassModel model() const {
    ModelConfig config;
    config.ensemble.size = 3;
    config.calibrator = "cascade";
    config.companions = {"forest", "neighbors", "label_history"};
    config.multiclass = GetParam();
    Schema schema = Schema::numeric(3);
    schema.classes = {"a", "b", "c", "d"};
    return {config, schema};
  }
  const Clouds clouds_{4};
  std::vector<double> scores_ = std::vector<double>(4 * kBatch), probabilities_ = scores_;
};

TEST_P(MulticlassAllocation, NoneToLearn) {
  MulticlassModel model = this->model();
  const auto learn = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) model.step(clouds_.batch(i), scores_, probabilities_);
  };
  learn(0, kWarmUp);
  EXPECT_EQ(allocations_of([&] { learn(kWarmUp, kWarmUp + kMeasured); }), 0);
}

TEST_P(MulticlassAllocation, NoneToLearnLater) {
  for (const std::size_t classes : {2u, 4u}) {
    Config config{.model = model().config(), .label_delay = 37};
    Schema schema = Schema::numeric(3);
    if (classes > 2) schema.classes = {"a", "b", "c", "d"};
    Model late(config, schema);
    const Clouds clouds(classes);
    Predictions predictions;
    const auto learn = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) late.step(clouds.batch(i), predictions);
    };
    learn(0, kWarmUp);
    EXPECT_EQ(allocations_of([&] { learn(kWarmUp, kWarmUp + kMeasured); }), 0) << classes;
  }
}

TEST_P(MulticlassAllocation, NoneToPredict) {
  MulticlassModel model = this->model();
  for (std::size_t i = 0; i < kWarmUp; ++i) model.learn(clouds_.batch(i));
  const auto predict = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      model.predict(clouds_.batch(i).x, scores_, probabilities_);
    }
  };
  predict(0, 1);
  EXPECT_EQ(allocations_of([&] { predict(1, kMeasured); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Every, MulticlassAllocation,
                         ::testing::Values(Multiclass::ovr, Multiclass::ovo), [](const auto& test) {
                           return test.param == Multiclass::ovr ? "ovr" : "ovo";
                         });

// Files that repeat what has been seen in their first rows.
enum class Content { numbers, categories, times, names };

std::unique_ptr<Stream> reader_of(Content content, std::size_t rows) {
  std::string text;
  if (content == Content::numbers) text = "a,b,y\n";
  if (content == Content::categories) text = "colour,b,y\n";
  if (content == Content::times) text = "time,b,y\n";
  const char* const colours[] = {"a colour of many letters", "red", "\"a, quoted \"\"one\"\"\""};
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t y = rng.below(2);
    const std::string x = std::to_string(rng.normal() + static_cast<double>(y));
    const std::string label = std::to_string(y);
    if (content == Content::numbers) {
      text += (i % 7 == 0 ? "" : std::to_string(i)) + "," + x + "," + label + "\n";
    } else if (content == Content::categories) {
      text += std::string(colours[i % 3]) + "," + x + "," + label + "\n";
    } else if (content == Content::times) {
      const std::uint64_t seconds = 1717158605 + 50 * i + rng.below(50);
      std::string time = std::to_string(seconds);
      if (i % 2 == 0) {
        time.clear();
        write_time(static_cast<std::int64_t>(seconds), 0, time);
      }
      text += time + "," + x + "," + label + "\n";
    } else {
      text += label + " 1:" + x + " " + std::to_string(2 + i % 3) + ":1\n";
    }
  }
  auto source = source_from(std::move(text), "a file");
  if (content == Content::names) return std::make_unique<LibsvmReader>(std::move(source), "a file");
  return std::make_unique<CsvReader>(std::move(source), "a file");
}

struct Reading {
  Content content;
  bool ahead;  // by a thread of its own, whose allocations count too
};

class ReadingAllocation : public ::testing::TestWithParam<Reading> {
 protected:
  ReadingAllocation() : reader_(opened()) {}

  static std::unique_ptr<Stream> opened() {
    auto reader = reader_of(GetParam().content, (kWarmUp + kMeasured) * kBatch);
    return GetParam().ahead ? read_ahead(std::move(reader)) : std::move(reader);
  }

  // Half of the times are texts, half are numbers.
  static ColumnChoices choices() {
    if (GetParam().content != Content::times) return {};
    return {.time = {"time"}};
  }

  Model model(const Spec& learner = "gaussian_nb") const {
    Config config;
    config.batch = kBatch;
    config.model.learner = learner;
    config.model.ensemble.size = 3;
    std::vector<Note> notes;
    return {config, reader_, choices(), notes};
  }

  SampledStream reader_;
};

TEST_P(ReadingAllocation, NoneToStepThroughAStream) {
  Model model = this->model();
  Session session(reader_, model, {.costs = RowCosts::Options{}});
  Recorder recorder;
  const auto run = [&](std::size_t minibatches) {
    for (std::size_t i = 0; i < minibatches; ++i) {
      ASSERT_TRUE(session.step());
      recorder.add(session);
    }
  };
  run(kWarmUp);
  EXPECT_EQ(allocations_of([&] { run(kMeasured); }), 0);
}

TEST(LabelBudgetAllocation, None) {
  for (const std::int64_t delay : {0, 30}) {
    Config config = preset("fast");
    config.batch = kBatch;
    config.label_budget = 0.3;
    config.label_delay = delay;
    Model model(config, Schema::numeric(3));
    const Clouds clouds(2);
    Predictions predictions;
    const auto run = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) model.step(clouds.batch(i), predictions);
    };
    // The number of chosen rows varies, and with it the largest minibatch so far.
    run(0, 5 * kWarmUp);
    EXPECT_EQ(allocations_of([&] { run(5 * kWarmUp, 5 * kWarmUp + kMeasured); }), 0) << delay;
  }
}

// Logistic regression takes standardized numbers.
TEST_P(ReadingAllocation, NoneToPredictAStream) {
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    SampledStream reader(opened());
    const Model model = this->model(learner);
    Session session(reader, model);
    const auto predict = [&](std::size_t minibatches) {
      for (std::size_t i = 0; i < minibatches; ++i) ASSERT_TRUE(session.predict(kBatch));
    };
    predict(kWarmUp);
    EXPECT_EQ(allocations_of([&] { predict(kMeasured); }), 0) << learner;
  }
}

constexpr Reading kReadings[] = {{Content::numbers, false},    {Content::numbers, true},
                                 {Content::categories, false}, {Content::categories, true},
                                 {Content::times, false},      {Content::times, true},
                                 {Content::names, false},      {Content::names, true}};

std::string name_of(const ::testing::TestParamInfo<Reading>& test) {
  const char* const contents[] = {"numbers", "categories", "times", "names"};
  const auto content = static_cast<std::size_t>(test.param.content);
  return std::string(contents[content]) + (test.param.ahead ? "_ahead" : "");
}

INSTANTIATE_TEST_SUITE_P(Every, ReadingAllocation, ::testing::ValuesIn(kReadings), name_of);

TEST(MetricAllocation, None) {
  const Clouds clouds(2);
  std::vector<double> probabilities(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) {
    probabilities[i] = static_cast<double>(i) / static_cast<double>(kBatch);
  }
  for (const auto& row : metrics().rows()) {
    const auto metric = metrics().make(Spec(row.name));
    const auto observe = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) metric->observe(probabilities, clouds.batch(i).y);
    };
    observe(0, kWarmUp);
    EXPECT_EQ(allocations_of([&] { observe(kWarmUp, kWarmUp + kMeasured); }), 0) << row.name;
  }
}

}  // namespace
}  // namespace plumbline::allocation_test
