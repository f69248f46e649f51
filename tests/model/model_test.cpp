#include "plumbline/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/encoding/encoder.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/source.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/model_file.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::model_test {
namespace {

using test::expect_error;
using test::Running;
using test::small_config;
using test::stream_of;

// Numbers around 1000, missing values and categories, some of which come late.
std::string mixed_csv(std::size_t rows, std::size_t from = 0) {
  std::string text = "n,c,m,y\n";
  for (std::size_t i = from; i < from + rows; ++i) {
    Rng rng(3, 0, i);
    const bool positive = rng.below(2) == 1;
    const double n = 1000 + 50 * rng.normal() + (positive ? 60 : 0);
    const std::string c = "c" + std::to_string(rng.below(2 + i / 100));
    const std::string m = rng.below(4) == 0 ? "" : std::to_string(rng.normal());
    text += std::to_string(n) + "," + c + "," + m + "," + (positive ? "yes" : "no") + "\n";
  }
  return text;
}

TEST(Model, StandardizesForLearnersThatMindTheScaleAlone) {
  const auto standardizes = [](const Config& config) {
    return Running(stream_of(mixed_csv(60)), config).model.standardizes();
  };
  EXPECT_FALSE(standardizes(small_config("gaussian_nb")));
  EXPECT_TRUE(standardizes(small_config("logistic")));
  Config off = small_config("logistic");
  off.encoder.standardize = EncoderOptions::Standardize::no;
  EXPECT_FALSE(standardizes(off));
}

// Without standardizing, SGD makes nothing of numbers around 1000.
TEST(Model, StandardizingHelpsTheLinearLearners) {
  const auto mean_loss = [](const Config& config) {
    const std::string text = mixed_csv(2000);
    Running running(stream_of(text), config);
    Session session(running.stream, running.model);
    const std::vector<double> p = test::run(session);
    CsvReader reader(source_from(text, "a"), "a");
    double sum = 0;
    for (std::size_t i = 0; reader.next(); ++i) {
      sum += log_loss(p[i], reader.row().fields[3] == "yes" ? 1 : 0);
    }
    return sum / 2000;
  };
  Config on = small_config("logistic");
  on.model.policy = "always_train";
  on.model.ensemble.score = ScoreKind::logistic;
  on.model.ensemble.correctness = Correctness::before_update;
  Config off = on;
  off.encoder.standardize = EncoderOptions::Standardize::no;
  EXPECT_LT(mean_loss(on), 0.69);
  EXPECT_LT(mean_loss(on), mean_loss(off));
}

TEST(Model, PredictingChangesNothing) {
  Running running(stream_of(mixed_csv(400)), small_config("logistic"));
  Session session(running.stream, running.model);
  test::run(session, 5);
  const auto before = running.model.to_bytes();
  const auto predicted = [&] {
    return test::predictions_of(running.model, *stream_of(mixed_csv(40, 5000)));
  };
  EXPECT_EQ(predicted(), predicted());
  EXPECT_EQ(running.model.to_bytes(), before);
}

TEST(Model, StepsThroughNumbersAsTheModelInsideWould) {
  const Minibatch data = test::waveform(200);
  Config config = small_config("gaussian_nb");
  config.encoder.standardize = EncoderOptions::Standardize::no;
  Model model(config, Schema::numeric(21));
  BinaryModel inside(config.model, 21);
  Predictions said;
  for (std::size_t at = 0; at < 200; at += 40) {
    const Examples batch = test::slice(data, at, at + 40);
    std::vector<double> scores(40), probabilities(40);
    EXPECT_EQ(model.predict(batch.x), inside.predict(batch.x));
    const RoundRecord record = inside.step(batch, scores, probabilities);
    const auto records = model.step(batch, said);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records.front().round, record.round);
    EXPECT_EQ(records.front().loss, record.loss);
    EXPECT_EQ(said.probabilities, probabilities);
    EXPECT_EQ(said.scores, scores);
  }
  EXPECT_EQ(model.view().examples, 200u);
}

// Files of earlier versions held the model of numbers alone.
TEST(Model, OpensAFileWithoutColumns) {
  const Minibatch data = test::waveform(200);
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    const Config config = small_config(learner);
    BinaryModel numbers(config.model, 21);
    numbers.learn(data.examples());
    const Model like(config, Schema::numeric(21));
    const ModelFile old{to_json(config.model), decode(like.to_bytes(), "m").schema, "",
                        save_state(numbers)};
    const Model opened = Model::from_bytes(encode(old), "m");
    EXPECT_FALSE(opened.standardizes());
    EXPECT_EQ(opened.predict(data.features()), numbers.predict(data.features()));
    // Saved again it has columns, and says the same.
    const Model again = Model::from_bytes(opened.to_bytes(), "m");
    EXPECT_EQ(again.predict(data.features()), numbers.predict(data.features()));
    EXPECT_EQ(again.to_bytes(), opened.to_bytes());
  }
}

TEST(Model, NeedsUsableNamesAndAMinibatchOfAtLeastOneRow) {
  expect_error(ErrorKind::config, {"at least one feature"},
               [] { Model(Config{}, Schema::numeric(0)); });
  Schema schema = Schema::numeric(3);
  schema.features[2] = "x1";
  expect_error(ErrorKind::config, {"two features are named 'x1'"},
               [&] { Model(Config{}, schema); });
  for (const char* bad : {"gr\xf6\xdf"
                          "e",
                          "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    schema.features[2] = bad;
    expect_error(ErrorKind::config, {"name of feature 3 is not valid UTF-8"},
                 [&] { Model(Config{}, schema); });
  }
  for (const char* good : {"größe", "€", "𝛽", "日本", ""}) {
    schema.features[2] = good;
    const Model model(Config{}, schema);
    EXPECT_EQ(Model::from_bytes(model.to_bytes(), "copy").schema(), schema);
  }
  Config config;
  config.batch = 0;
  expect_error(ErrorKind::config, {"'batch' must be from 1"}, [&] { Model(config, schema); });
}

TEST(Model, NeedsAsManyClassesAsALabelCanTellApart) {
  const auto schema_of = [](std::size_t classes) {
    Schema schema = Schema::numeric(2);
    for (std::size_t k = 0; k < classes; ++k) schema.classes.push_back("c" + std::to_string(k));
    return schema;
  };
  expect_error(ErrorKind::config, {"257 classes", "256"}, [&] { Model(Config{}, schema_of(257)); });
  EXPECT_EQ(Model(Config{}, schema_of(256)).outputs(), 256u);
  Schema twice = schema_of(2);
  twice.classes[1] = twice.classes[0];
  expect_error(ErrorKind::config, {"two classes are named 'c0'"}, [&] { Model(Config{}, twice); });
}

// The values are told when a run ends, also those of the runs before it.
TEST(Model, RemembersHowManyValuesShareAFeature) {
  Config config = small_config("gaussian_nb");
  config.encoder.max_categories = 1;
  Running running(stream_of("c,y\na,0\nb,1\nb,0\nd,1\n"), config);
  Session session(running.stream, running.model);
  ASSERT_TRUE(session.step());
  EXPECT_EQ(running.model.encoder().overflowed(), 3u);
  EXPECT_EQ(Model::from_bytes(running.model.to_bytes(), "a model").encoder().overflowed(), 3u);
}

TEST(Model, KnowsTheShareOfPositivesItLearnedFrom) {
  const std::string text = "a,y\n1,0\n2,1\n3,0\n4,0\n5,1\n6,0\n7,0\n8,0\n";
  Running running(stream_of(text), small_config("gaussian_nb"));
  Model& model = running.model;
  EXPECT_FALSE(model.positive_share().has_value());
  test::predictions_of(model, *stream_of(text));
  EXPECT_FALSE(model.positive_share().has_value());  // it has only looked
  Session session(running.stream, model);
  test::run(session);
  EXPECT_EQ(model.positive_share(), 0.25);
  EXPECT_EQ(Model::from_bytes(model.to_bytes(), "a model").positive_share(), 0.25);
}

}  // namespace
}  // namespace plumbline::model_test
