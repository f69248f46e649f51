#include "plumbline/model/model.h"

#include <gtest/gtest.h>

#include "plumbline/encoding/rows.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/sample.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline {
namespace {

using test::expect_error;

// A stream with numbers, missing values and categories, some of which come late.
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

Model make(Stream& reader, const std::vector<SampleRow>& sample, const Config& config) {
  std::vector<std::string> notes;
  return {config, Encoder::fit(config.encoder, reader, sample, {}, notes)};
}

Config small_config(const Spec& learner) {
  Config config;
  config.model.learner = learner;
  config.model.ensemble.size = 3;
  config.batch = 40;
  return config;
}

// Runs over the text; after `cut` minibatches the pipeline is saved and loaded.
std::vector<double> probabilities_of(const std::string& text, const Config& config, std::size_t cut,
                                     std::vector<std::byte>* bytes = nullptr) {
  SampledStream reader(std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv"), 50);
  Model pipeline = make(reader, reader.sample(), config);
  Minibatch batch(pipeline.encoder().schema().size());
  std::vector<double> all, scores, probabilities;
  std::unique_ptr<Rows> rows = std::make_unique<Rows>(reader, pipeline.encoder(), Rows::Options{});
  for (std::size_t done = 0; rows->read(batch, pipeline.batch_size()); ++done) {
    scores.resize(batch.rows());
    probabilities.resize(batch.rows());
    pipeline.step(batch, scores, probabilities);
    all.insert(all.end(), probabilities.begin(), probabilities.end());
    if (done + 1 == cut) {
      pipeline = Model::from_bytes(pipeline.to_bytes(), "a model");
      rows = std::make_unique<Rows>(reader, pipeline.encoder(), Rows::Options{});
    }
  }
  if (bytes != nullptr) *bytes = pipeline.to_bytes();
  return all;
}

class PipelineResume : public testing::TestWithParam<const char*> {};

TEST_P(PipelineResume, GoesOnExactlyWhereItStopped) {
  const Config config = small_config(GetParam());
  const std::string text = mixed_csv(800);
  std::vector<std::byte> whole_bytes;
  const std::vector<double> whole = probabilities_of(text, config, 0, &whole_bytes);
  ASSERT_EQ(whole.size(), 800u);
  for (const std::size_t cut : {1u, 2u, 7u, 13u, 19u}) {
    std::vector<std::byte> bytes;
    EXPECT_EQ(probabilities_of(text, config, cut, &bytes), whole) << "cut after " << cut;
    EXPECT_EQ(bytes, whole_bytes) << "cut after " << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, PipelineResume,
                         testing::Values("gaussian_nb", "logistic", "logistic:penalty=l1"));

// Growing is the same as having had the feature all along, with zeros in it.
class Growing : public testing::TestWithParam<const char*> {};

void expect_growing_changes_nothing(ModelConfig config) {
  config.ensemble.size = 3;
  const Minibatch narrow = test::waveform(600);
  const std::size_t d = narrow.columns();
  // Two features more, which are 0 in the first 300 rows.
  const Schema wide_schema = Schema::numeric(d + 2);
  BinaryModel grown(config, Schema::numeric(d)), wide(config, wide_schema);
  Minibatch padded = narrow;
  padded.widen(d + 2);
  for (std::size_t i = 300; i < 600; ++i) {
    padded.row(i)[d] = Rng(1, 0, i).normal();
    padded.row(i)[d + 1] = narrow.examples().y[i];
  }
  for (std::size_t at = 0; at < 600; at += 50) {
    wide.learn(test::slice(padded, at, at + 50));
    if (at == 300) grown.grow(wide_schema);
    grown.learn(test::slice(at < 300 ? narrow : padded, at, at + 50));
  }
  const std::vector<double> a = grown.predict(padded.features());
  const std::vector<double> b = wide.predict(padded.features());
  EXPECT_EQ(a, b);
  EXPECT_EQ(grown.to_bytes(), wide.to_bytes());
}

TEST_P(Growing, IsAsIfTheFeatureHadAlwaysBeenZero) {
  ModelConfig config;
  config.learner = Spec(GetParam());
  expect_growing_changes_nothing(config);
}

// Calibrators that read how sure the learners are see every bit of their margins, not votes alone.
TEST_P(Growing, IsSoToTheLastBitOfTheMargins) {
  ModelConfig config = preset("auto").model;
  config.learner = Spec(GetParam());
  expect_growing_changes_nothing(config);
}

INSTANTIATE_TEST_SUITE_P(Learners, Growing,
                         testing::Values("gaussian_nb", "gaussian_nb:relative_floor=0.01",
                                         "logistic", "logistic:penalty=l1,alpha=0.01",
                                         "logistic_adaptive", "linear_svm", "perceptron"));

TEST(Growing, OnlyGoesForward) {
  BinaryModel model(ModelConfig{}, Schema::numeric(3));
  expect_error(ErrorKind::config, {"only grow"}, [&] { model.grow(Schema::numeric(2)); });
  Schema other = Schema::numeric(4);
  other.features[0] = "z";
  expect_error(ErrorKind::config, {"only grow"}, [&] { model.grow(other); });
  model.grow(Schema::numeric(5));
  EXPECT_EQ(model.schema().size(), 5u);
}

TEST(Model, StandardisesForLearnersThatMindTheScaleAlone) {
  const auto standardises = [](const Config& config) {
    SampledStream reader(std::make_unique<CsvReader>(source_from(mixed_csv(60), "a"), "a"), 50);
    return make(reader, reader.sample(), config).standardises();
  };
  EXPECT_FALSE(standardises(small_config("gaussian_nb")));
  EXPECT_TRUE(standardises(small_config("logistic")));
  Config off = small_config("logistic");
  off.encoder.standardise = Encoder::Standardise::no;
  EXPECT_FALSE(standardises(off));
}

// Numbers around 1000: without standardising, SGD makes nothing of them.
TEST(Model, StandardisingHelpsTheLinearLearners) {
  const auto mean_loss = [](const Config& config) {
    const std::string text = mixed_csv(2000);
    const std::vector<double> p = probabilities_of(text, config, 0);
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
  off.encoder.standardise = Encoder::Standardise::no;
  EXPECT_LT(mean_loss(on), 0.69);
  EXPECT_LT(mean_loss(on), mean_loss(off));
}

TEST(Model, PredictingChangesNothing) {
  SampledStream reader(std::make_unique<CsvReader>(source_from(mixed_csv(400), "a"), "a"), 50);
  Model pipeline = make(reader, reader.sample(), small_config("logistic"));
  Minibatch batch(pipeline.encoder().schema().size());
  std::vector<double> scores(40), probabilities(40), again(40);
  Rows rows(reader, pipeline.encoder(), Rows::Options{});
  for (int i = 0; i < 5; ++i) {
    rows.read(batch, 40);
    pipeline.step(batch, scores, probabilities);
  }
  const auto before = pipeline.to_bytes();
  for (std::vector<double>* into : {&probabilities, &again}) {
    CsvReader unseen(source_from(mixed_csv(40, 5000), "b"), "b");
    Rows unseen_rows(unseen, std::as_const(pipeline).encoder(), Rows::Options{});
    Minibatch raw(pipeline.encoder().schema().size());
    unseen_rows.read(raw, 40);
    pipeline.predict(raw, scores, *into);
  }
  EXPECT_EQ(probabilities, again);
  EXPECT_EQ(pipeline.to_bytes(), before);
}

// A pipeline that has learned from some rows, and one more minibatch that brings a new category.
struct Grown {
  explicit Grown(const std::string& text)
      : reader(std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv"), 20),
        pipeline(make(reader, reader.sample(), small_config("gaussian_nb"))),
        rows(reader, pipeline.encoder(), {}),
        batch(pipeline.encoder().schema().size()) {
    read();
    pipeline.step(batch, scores, probabilities);
    saved = pipeline.to_bytes();
    read();
  }

  void read() {
    rows.read(batch, pipeline.batch_size());
    scores.resize(batch.rows() * pipeline.outputs());
    probabilities.resize(scores.size());
  }

  SampledStream reader;
  Model pipeline;
  Rows rows;
  Minibatch batch;
  std::vector<double> scores, probabilities;
  std::vector<std::byte> saved;  // before the second minibatch
};

std::string growing_csv(const std::vector<std::string>& labels, const std::string& late_label) {
  std::string text = "n,c,y\n";
  for (int i = 0; i < 80; ++i) {
    const std::string& label =
        i > 60 ? late_label : labels[static_cast<std::size_t>(i) % labels.size()];
    text += std::to_string(i % 7) +
            (i < 40       ? ",red,"
             : i % 2 == 0 ? ",green,"
                          : ",red,") +
            label + "\n";
  }
  return text;
}

// What a model that was saved before the second minibatch says of it.
std::vector<double> predicted_by(const std::vector<std::byte>& model, const std::string& text) {
  const Model pipeline = Model::from_bytes(model, "a model");
  CsvReader reader(source_from(text, "a.csv"), "a.csv");
  Rows rows(reader, pipeline.encoder(), {.skip = 40});
  Minibatch batch(pipeline.schema().size());
  rows.read(batch, 40);
  std::vector<double> scores(batch.rows() * pipeline.outputs()), probabilities(scores.size());
  pipeline.predict(batch, scores, probabilities);
  return probabilities;
}

TEST(Model, PredictsRowsThatBringANewCategoryOrClass) {
  for (const auto& [labels, late] : {std::pair{std::vector<std::string>{"no", "yes"}, "yes"},
                                     {std::vector<std::string>{"a", "b", "c"}, "d"}}) {
    const std::string text = growing_csv(labels, late);
    Grown grown(text);
    grown.pipeline.predict(grown.batch, grown.scores, grown.probabilities);
    const std::vector<double> wanted = predicted_by(grown.saved, text);
    if (labels.size() == 2) {
      EXPECT_EQ(grown.probabilities, wanted);
      continue;
    }
    for (std::size_t i = 0; i < grown.batch.rows(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(grown.probabilities[4 * i + k], wanted[3 * i + k]);
      }
      EXPECT_EQ(grown.probabilities[4 * i + 3], 0);  // not learned from yet
    }
  }
}

TEST(Model, IsAsItWasAfterAnErrorOfAStep) {
  const auto refused = [](const std::vector<std::string>& labels, const auto& spoil) {
    Grown grown(growing_csv(labels, labels[0]));
    const auto before = grown.pipeline.to_bytes();
    spoil(grown);
    EXPECT_THROW(grown.pipeline.step(grown.batch, grown.scores, grown.probabilities), Error);
    EXPECT_EQ(grown.pipeline.to_bytes(), before);
  };
  const std::vector<std::string> two{"no", "yes"}, three{"a", "b", "c"};
  for (const auto& labels : {two, three}) {
    refused(labels, [](Grown& grown) { grown.scores.pop_back(); });
    refused(labels, [](Grown& grown) { grown.probabilities.pop_back(); });
    refused(labels, [](Grown& grown) { grown.batch.add(static_cast<Label>(9)); });
    refused(labels, [](Grown& grown) { grown.batch.add_costs({-1, 1}); });
    refused(labels, [](Grown& grown) { grown.batch.row(0)[0] = 1e200; });
    refused(labels, [](Grown& grown) { grown.batch.widen(grown.batch.columns() + 1); });
  }
}

TEST(Model, OpensTheFileOfAModelAndAModelRefusesThatOfAPipeline) {
  const Minibatch data = test::waveform(200);
  BinaryModel model(ModelConfig{}, Schema::numeric(data.columns()));
  model.learn(data.examples());
  Model pipeline = Model::from_bytes(model.to_bytes(), "m");
  Minibatch copy = data;
  std::vector<double> scores(200), probabilities(200);
  pipeline.predict(copy, scores, probabilities);
  EXPECT_EQ(probabilities, model.predict(data.features()));
  expect_error(ErrorKind::model_file, {"m2", "pipeline"},
               [&] { BinaryModel::from_bytes(pipeline.to_bytes(), "m2"); });
}

TEST(Config, OverlaysChangeWhatTheySayAlone) {
  Config config;
  config.model.learner = "logistic:alpha=0.5,penalty=l1";
  config = overlay(config, R"({"learner": {"alpha": 0.25}, "batch": 7})");
  EXPECT_EQ(config.batch, 7);
  EXPECT_EQ(config.model.learner.text().find("logistic:penalty=l1,alpha=0.25"), 0u)
      << config.model.learner.text();
  config = overlay(config, R"({"learner": {"name": "logistic"}})");
  EXPECT_NE(config.model.learner.text().find("penalty=l2"), std::string::npos);
  config = overlay(config, R"({"ensemble": {"size": "3"}, "encoder": {"max_categories": 5}})");
  config = overlay(config, R"({"ensemble": {"score": "logistic"}})");
  EXPECT_EQ(config.model.ensemble.size, 3);
  EXPECT_EQ(config.model.ensemble.score, ScoreKind::logistic);
  EXPECT_EQ(config.encoder.max_categories, 5);
  EXPECT_EQ(to_json(overlay({}, to_json(config))), to_json(config));
  expect_error(ErrorKind::config, {"'btch'", "did you mean 'batch'?"},
               [] { overlay({}, R"({"btch": 3})"); });
  expect_error(ErrorKind::config, {"'batch' must be from 1"},
               [] { overlay({}, R"({"batch": 0})"); });
  expect_error(ErrorKind::config, {"option 'max_categories' of the encoder"},
               [] { overlay({}, R"({"encoder": {"max_categories": 0}})"); });
}

// The values are told when a run ends, also those of the runs before it.
TEST(Model, RemembersHowManyValuesShareAFeature) {
  Config config = small_config("gaussian_nb");
  config.encoder.max_categories = 1;
  const std::string text = "c,y\na,0\nb,1\nb,0\nd,1\n";
  SampledStream reader(std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv"), 50);
  Model pipeline = make(reader, reader.sample(), config);
  Minibatch batch(pipeline.encoder().schema().size());
  Rows rows(reader, pipeline.encoder(), {});
  std::vector<double> scores(4), probabilities(4);
  ASSERT_TRUE(rows.read(batch, 4));
  pipeline.step(batch, scores, probabilities);
  EXPECT_EQ(pipeline.encoder().crowded(), 3u);
  EXPECT_EQ(Model::from_bytes(pipeline.to_bytes(), "a model").encoder().crowded(), 3u);
}

TEST(Model, KnowsTheShareOfPositivesItLearnedFrom) {
  const std::string text = "a,y\n1,0\n2,1\n3,0\n4,0\n5,1\n6,0\n7,0\n8,0\n";
  SampledStream reader(std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv"), 50);
  Model pipeline = make(reader, reader.sample(), small_config("gaussian_nb"));
  EXPECT_FALSE(pipeline.positive_share().has_value());
  Minibatch batch(1);
  Rows rows(reader, pipeline.encoder(), {});
  std::vector<double> scores(8), probabilities(8);
  ASSERT_TRUE(rows.read(batch, 8));
  pipeline.predict(batch, scores, probabilities);
  EXPECT_FALSE(pipeline.positive_share().has_value());  // it has only looked
  pipeline.step(batch, scores, probabilities);
  EXPECT_EQ(pipeline.positive_share(), 0.25);
  EXPECT_EQ(Model::from_bytes(pipeline.to_bytes(), "a model").positive_share(), 0.25);
}

}  // namespace
}  // namespace plumbline
