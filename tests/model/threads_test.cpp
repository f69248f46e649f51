// Prediction over chunks of rows, and several classes over their binary models (run under ThreadSanitizer by ./check).
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "plumbline/threads/thread_pool.h"
#include "tests/support.h"

namespace plumbline::threads_test {
namespace {

// Clouds, one for each class; the last class comes late.
Minibatch clouds(std::size_t rows, std::size_t features, std::size_t classes) {
  Minibatch data(features);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(5, 0, i);
    const std::size_t known = i < rows / 2 && classes > 2 ? classes - 1 : classes;
    const auto label = static_cast<Label>(rng.below(known));
    std::size_t feature = 0;
    for (double& x : data.add(label)) x = rng.normal() + (feature++ % classes == label ? 1 : 0);
  }
  return data;
}

Schema schema_of(std::size_t features, std::size_t classes) {
  Schema schema = Schema::numeric(features);
  for (std::size_t k = 0; classes > 2 && k < classes; ++k) {
    schema.classes.push_back("class " + std::to_string(k));
  }
  return schema;
}

Config config_of(const char* name, Multiclass scheme) {
  Config config = preset(name);
  config.model.multiclass = scheme;
  return config;
}

void learn(Model& model, const Minibatch& data, std::size_t batch) {
  for (std::size_t i = 0; i < data.rows(); i += batch) {
    model.learn(test::slice(data, i, std::min(data.rows(), i + batch)));
  }
}

Predictions predicted(const Model& model, const Batch& rows, std::size_t threads,
                      std::size_t ahead = 0) {
  const ThreadLimit limit(threads);
  Predictions predictions;
  model.predict(rows, predictions, ahead);
  return predictions;
}

void expect_equal(const Predictions& a, const Predictions& b) {
  EXPECT_TRUE(a.scores == b.scores);
  EXPECT_TRUE(a.probabilities == b.probabilities);
}

void expect_the_same_predictions(const Model& model, const Batch& rows) {
  const Predictions alone = predicted(model, rows, 1);
  for (const std::size_t threads : {2u, 3u}) {
    SCOPED_TRACE(threads);
    for (int tries = 0; tries < 3; ++tries) expect_equal(predicted(model, rows, threads), alone);
  }
  // And row by row.
  for (const std::size_t i : {std::size_t{0}, rows.rows / 2, rows.rows - 1}) {
    const Predictions one = predicted(model, rows.part(i, 1), 1, i);
    EXPECT_TRUE(std::ranges::equal(one.probabilities, alone.row(i))) << i;
  }
}

TEST(ModelThreads, PredictTheSameBitsInChunks) {
  for (const char* preset : {"auto", "paper"}) {
    for (const auto standardize :
         {EncoderOptions::Standardize::yes, EncoderOptions::Standardize::no}) {
      for (const std::size_t classes : {2u, 4u}) {
        Config config = config_of(preset, Multiclass::ovr);
        config.encoder.standardize = standardize;
        Model model(config, schema_of(20, classes));
        learn(model, clouds(300, 20, classes), 50);
        Minibatch data = clouds(1500, 20, classes);
        expect_the_same_predictions(model, data.features());
        data.row(700)[3] = std::numeric_limits<double>::quiet_NaN();
        expect_the_same_predictions(model, data.features());
      }
    }
  }
}

TEST(ModelThreads, PredictTheSameBitsOfSparseRows) {
  Schema schema = Schema::numeric(30);
  schema.sparse = true;
  Config config = preset("auto");
  config.model.learner = "logistic";
  Model model(config, schema);
  std::vector<Entry> entries;
  std::vector<std::size_t> starts{0};
  std::vector<Label> labels;
  for (std::size_t i = 0; i < 2000; ++i) {
    Rng rng(5, 0, i);
    labels.push_back(rng.uniform() < 0.5 ? 1 : 0);
    for (std::uint32_t k = 0; k < 30; ++k) {
      if (rng.uniform() < 0.1) entries.push_back({k, rng.normal() + labels.back()});
    }
    starts.push_back(entries.size());
  }
  const Batch rows{.rows = 2000, .columns = 30, .entries = entries, .starts = starts};
  for (std::size_t i = 0; i < 300; i += 50) {
    model.learn({rows.part(i, 50), std::span(labels).subspan(i, 50)});
  }
  expect_the_same_predictions(model, rows);
}

struct Learned {
  std::vector<std::byte> model;
  std::vector<double> probabilities, scores, losses;

  bool operator==(const Learned&) const = default;
};

Learned learned(const Config& config, std::size_t batch, std::size_t threads) {
  const ThreadLimit limit(threads);
  const Minibatch data = clouds(600, 20, 6);
  Model model(config, schema_of(20, 6));
  Learned learned;
  const auto append = [](const std::vector<double>& from, std::vector<double>& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::size_t i = 0; i < data.rows(); i += batch) {
    Predictions predictions;
    for (const RoundRecord& record :
         model.step(test::slice(data, i, std::min(data.rows(), i + batch)), predictions)) {
      learned.losses.push_back(record.loss);
    }
    append(predictions.probabilities, learned.probabilities);
    append(predictions.scores, learned.scores);
    // Too few rows for chunks: over the binary models.
    model.predict(test::slice(data, 0, 30).x, predictions);
    append(predictions.probabilities, learned.probabilities);
  }
  learned.model = model.to_bytes();
  return learned;
}

TEST(ModelThreads, LearnTheSameBitsOfSeveralClasses) {
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    for (const char* preset : {"auto", "paper"}) {
      for (const std::size_t batch : {30u, 200u}) {
        const Config config = config_of(preset, scheme);
        const Learned alone = learned(config, batch, 1);
        for (const std::size_t threads : {2u, 3u}) {
          EXPECT_TRUE(learned(config, batch, threads) == alone) << preset << ' ' << batch;
        }
      }
    }
  }
}

TEST(ModelThreads, CallersOfLargeBatchesMayOverlap) {
  Model trained(preset("auto"), schema_of(20, 4));
  learn(trained, clouds(300, 20, 4), 50);
  const Model& model = trained;
  const Minibatch data = clouds(1500, 20, 4);
  const Predictions alone = predicted(model, data.features(), 1);
  const auto bytes = model.to_bytes();
  std::vector<std::jthread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] { expect_equal(predicted(model, data.features(), 2), alone); });
  }
  callers.emplace_back([&] { EXPECT_EQ(model.to_bytes(), bytes); });
}

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// More threads than any other test here asks for: whether work is shared out is seen by how many there are.
TEST(ModelThreads, AreStartedForMuchWorkOnly) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "threads are counted in /proc";
  constexpr std::size_t kMany = 9;
  const Minibatch data = clouds(3000, 20, 10);
  Model model(preset("auto"), schema_of(20, 10));
  {
    const ThreadLimit limit(1);
    learn(model, clouds(300, 20, 10), 50);
  }
  const std::size_t before = threads_of_process();
  ASSERT_LT(before, kMany);
  const ThreadLimit limit(kMany);
  Predictions predictions;
  for (int i = 0; i < 10; ++i) {
    model.predict(test::slice(data, 0, 1).x, predictions);
    model.step(test::slice(data, 0, 1), predictions);
  }
  EXPECT_EQ(threads_of_process(), before);
  model.step(test::slice(data, 0, 10), predictions);  // the default of `auto`
  EXPECT_GE(threads_of_process(), kMany);
  {
    const ThreadLimit more(kMany + 3);
    model.predict(data.features(), predictions);
  }
  EXPECT_GE(threads_of_process(), kMany + 3);
}

}  // namespace
}  // namespace plumbline::threads_test
