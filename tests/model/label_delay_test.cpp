// Labels that come later: a row is predicted, waits with its scores, and is learned when the row `label_delay` rows
// later has been predicted.

#include <gtest/gtest.h>

#include <deque>

#include "plumbline/calibrator.h"
#include "plumbline/data/pending_rows.h"
#include "plumbline/ensemble/score_sources.h"
#include "plumbline/learner.h"
#include "plumbline/model.h"
#include "plumbline/model/class_model.h"
#include "tests/conformance/configurations.h"
#include "tests/model/no_trace.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::label_delay_test {
namespace {

using test::copy_of;
using test::expect_error;
using test::slice;

struct Kind {
  std::string name;
  std::size_t classes;  // 2: a binary label
  bool sparse;
  void (*change)(ModelConfig&);
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

void as_auto(ModelConfig& config) {
  config = preset("auto").model;
  config.ensemble.size = 3;
  for (Spec& spec : config.companions) {
    if (spec.name == "forest") spec = "forest:trees=3,nodes=31,grace=5,candidates=5";
  }
}

const std::vector<Kind> kKinds{
    {"auto", 2, false, as_auto},
    {"sparse", 2, true, as_auto},
    {"rewards_on_the_same_rows", 2, false, [](ModelConfig& config) { config.policy = "ucb1"; }},
    {"rewards_on_the_next_rows", 2, false,
     [](ModelConfig& config) { config.reward = "log_loss:on=next_batch"; }},
    {"tries_actions", 2, false, [](ModelConfig& config) { config.policy = "greedy"; }},
    {"context", 2, false, [](ModelConfig& config) { config.policy = "lin_ucb"; }},
    {"ovr", 4, false, as_auto},
    {"ovo", 4, false,
     [](ModelConfig& config) {
       as_auto(config);
       config.multiclass = Multiclass::ovo;
     }},
    {"ovo_tries_actions", 3, false,
     [](ModelConfig& config) {
       as_auto(config);
       config.policy = "greedy";
       config.multiclass = Multiclass::ovo;
     }},
    {"first_fit", 2, false,
     [](ModelConfig& config) { config.first_round = FirstRound::train_then_calibrate; }},
    {"ovo_first_fit", 3, false,
     [](ModelConfig& config) {
       as_auto(config);
       config.first_round = FirstRound::train_then_calibrate;
       config.multiclass = Multiclass::ovo;
     }},
    {"sparse_ovr", 3, true, as_auto}};

Config config_of(const Kind& kind, std::int64_t delay) {
  Config config;
  config.model.ensemble.size = 3;
  config.model.calibrator = "platt_newton";
  kind.change(config.model);
  config.label_delay = delay;
  config.encoder.standardize = EncoderOptions::Standardize::no;
  return config;
}

Schema schema_of(const Kind& kind) {
  Schema schema = Schema::numeric(3);
  schema.sparse = kind.sparse;
  for (std::size_t k = 0; kind.classes > 2 && k < kind.classes; ++k) {
    schema.classes.push_back("c" + std::to_string(k));
  }
  return schema;
}

// Labels in runs; the last class comes late.
Minibatch labelled(const Kind& kind, std::size_t rows) {
  Minibatch batch(3);
  Label label = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(5, 0, i);
    const std::size_t known = kind.classes > 2 && i < 35 ? kind.classes - 1 : kind.classes;
    if (rng.below(3) == 0) label = static_cast<Label>(rng.below(static_cast<std::uint32_t>(known)));
    const auto x = batch.add(label);
    x[0] = label + rng.normal();
    x[1] = rng.normal() - (label == 1 ? 1 : 0);
    x[2] = static_cast<double>(rng.below(2));
  }
  return batch;
}

// A view of dense rows in the form that the kind of model takes.
class Rows {
 public:
  Rows(const Kind& kind, const Examples& examples) : examples_(examples) {
    if (!kind.sparse) return;
    starts_.push_back(0);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        if (examples.x.row(i)[j] != 0) entries_.push_back({j, examples.x.row(i)[j]});
      }
      starts_.push_back(entries_.size());
    }
    examples_.x = {.rows = examples.size(), .columns = 3, .entries = entries_, .starts = starts_};
  }
  const Examples& examples() const { return examples_; }

 private:
  Examples examples_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_;
};

// Steps over the rows [from, to); their probabilities.
std::vector<double> run(const Kind& kind, Model& model, const Minibatch& data, std::size_t from,
                        std::size_t to, std::size_t batch) {
  std::vector<double> all;
  Predictions predictions;
  for (std::size_t at = from; at < to; at += batch) {
    const Rows rows(kind, slice(data, at, std::min(to, at + batch)));
    model.step(rows.examples(), predictions);
    all.insert(all.end(), predictions.probabilities.begin(), predictions.probabilities.end());
  }
  return all;
}

class LabelDelay : public testing::TestWithParam<Kind> {
 protected:
  static constexpr std::size_t kRows = 120;

  Model model(std::int64_t delay) const {
    return {config_of(GetParam(), delay), schema_of(GetParam())};
  }
  std::vector<double> run(Model& model, const Minibatch& data, std::size_t from, std::size_t to,
                          std::size_t batch) const {
    return label_delay_test::run(GetParam(), model, data, from, to, batch);
  }
  const Minibatch data_ = labelled(GetParam(), kRows);
};

INSTANTIATE_TEST_SUITE_P(Kinds, LabelDelay, testing::ValuesIn(kKinds),
                         [](const auto& test) { return test.param.name; });

TEST_P(LabelDelay, LearnsNothingWhileNoLabelIsKnown) {
  const Model fresh = model(0);
  Model late = model(kRows);
  const auto said = run(late, data_, 0, kRows, 7);
  const Rows rows(GetParam(), data_.examples());
  EXPECT_EQ(said, fresh.predict(rows.examples().x));
  EXPECT_EQ(late.view().examples, 0u);
  EXPECT_EQ(late.pending(), kRows);
}

TEST_P(LabelDelay, LearnsEachRowWhenItsLabelIsKnown) {
  for (const std::size_t delay : {1u, 5u, 40u}) {
    Model late = model(static_cast<std::int64_t>(delay));
    std::size_t seen = 0;
    for (std::size_t batch = 1; seen < kRows; batch = batch % 9 + 2) {
      const std::size_t end = std::min(kRows, seen + batch);
      run(late, data_, seen, end, batch);
      seen = end;
      ASSERT_EQ(late.view().examples, seen - std::min(seen, delay)) << seen;
      ASSERT_EQ(late.pending(), std::min(seen, delay)) << seen;
    }
  }
}

TEST_P(LabelDelay, PredictsFromKnownLabelsOnly) {
  constexpr std::size_t kChanged = 41;
  Minibatch other(3);
  for (std::size_t i = 0; i < kRows; ++i) {
    const Label label = data_.examples().y[i];
    const auto x = other.add(i != kChanged ? label : label == 1 ? Label{0} : Label{1});
    std::ranges::copy(data_.features().row(i), x.begin());
  }
  for (const std::size_t delay : {0u, 1u, 7u, 30u}) {
    for (const std::size_t batch : {1u, 4u}) {
      Model one = model(static_cast<std::int64_t>(delay)), two = copy_of(one);
      const auto a = run(one, data_, 0, kRows, batch), b = run(two, other, 0, kRows, batch);
      // The end of the minibatch with the row by which the label is known.
      const std::size_t known = ((kChanged + delay) / batch + 1) * batch * one.outputs();
      EXPECT_TRUE(std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(known), b.begin()))
          << delay << " " << batch;
      // Later it has an effect, if only on the state: coarse votes may hide it.
      EXPECT_FALSE(one.to_bytes() == two.to_bytes()) << delay << " " << batch;
      if (one.config().model.calibrator.name == "cascade") {
        EXPECT_NE(a, b) << delay << " " << batch;
      }
    }
  }
}

TEST_P(LabelDelay, GoesOnExactlyWhereItStopped) {
  for (const std::size_t delay : {1u, 10u, 33u}) {
    for (const std::size_t batch : {1u, 4u}) {
      Model whole = model(static_cast<std::int64_t>(delay));
      const auto expected = run(whole, data_, 0, kRows, batch);
      for (const std::size_t cut : {4u, 12u, 36u, 48u, 80u, 120u}) {
        Model first = model(static_cast<std::int64_t>(delay));
        auto said = run(first, data_, 0, cut, batch);
        Model second = copy_of(first);
        ASSERT_TRUE(second.to_bytes() == first.to_bytes());
        const auto rest = run(second, data_, cut, kRows, batch);
        said.insert(said.end(), rest.begin(), rest.end());
        EXPECT_EQ(said, expected) << delay << " " << batch << " " << cut;
        EXPECT_TRUE(second.to_bytes() == whole.to_bytes()) << delay << " " << batch << " " << cut;
      }
    }
  }
}

TEST_P(LabelDelay, PredictsAsAStepDoes) {
  for (const std::size_t batch : {1u, 5u}) {
    Model late = model(10);
    for (std::size_t at = 0; at < kRows; at += batch) {
      const Rows rows(GetParam(), slice(data_, at, at + batch));
      const auto before = late.predict(rows.examples().x);
      ASSERT_EQ(run(late, data_, at, at + batch, batch), before) << at;
    }
  }
}

TEST_P(LabelDelay, KeepsABoundedNumberOfRows) {
  Model late = model(20);
  run(late, data_, 0, kRows, 3);
  const auto bytes_of_pending = [&] {
    std::size_t sum = 0;
    for (const Tensor& tensor : save_state(late)) {
      if (tensor.name.starts_with("pending.")) sum += tensor.bytes.size();
    }
    return static_cast<double>(sum);
  };
  const double before = bytes_of_pending();
  for (int again = 0; again < 3; ++again) run(late, data_, 0, kRows, 3);
  // A sparse row has two or three entries of 16 bytes.
  EXPECT_NEAR(bytes_of_pending(), before, GetParam().sparse ? 20 * 16 : 0);
  EXPECT_EQ(late.pending(), 20u);
}

TEST_P(LabelDelay, LeavesNoTraceOfAnError) {
  Model late = model(10);
  run(late, data_, 0, 50, 5);
  Minibatch bad(3);
  for (std::size_t i = 50; i < 55; ++i) {
    std::ranges::copy(data_.features().row(i), bad.add(i == 53 ? 9 : 0).begin());
  }
  test::expect_no_trace(
      late, ErrorKind::data, {"label"}, [&] { run(late, bad, 0, 5, 5); },
      [&](Model& model) { run(model, data_, 50, kRows, 5); });
}

// The halves of a step, with nothing between them, are the step.
void expect_halves_equal_steps(const ModelConfig& config, const Schema& schema,
                               const Minibatch& data) {
  const auto whole = make_class_model(config, schema, Components::builtin());
  const auto halves = make_class_model(config, schema, Components::builtin());
  PendingRows pending{FeatureSpace(schema)};
  for (std::size_t at = 0; at < data.rows(); at += 10) {
    const Examples examples = slice(data, at, at + 10);
    std::vector<double> scores(10 * whole->outputs()), probabilities(scores);
    std::vector<double> other_scores(scores), other_probabilities(scores);
    whole->step(examples, scores, probabilities);
    halves->predict_pending(examples, 0, other_scores, other_probabilities);
    pending.push(examples, 0);
    halves->learn_pending(pending, 10);
    pending.pop(10);
    ASSERT_EQ(scores, other_scores) << at;
    ASSERT_EQ(probabilities, other_probabilities) << at;
    ASSERT_EQ(save_state(*whole), save_state(*halves)) << at;
  }
}

class Halves : public testing::TestWithParam<test::NamedConfig> {};

INSTANTIATE_TEST_SUITE_P(Every, Halves, testing::ValuesIn(test::configurations()),
                         [](const auto& test) { return test.param.name; });

TEST_P(Halves, AreTheStepForTwoClasses) {
  expect_halves_equal_steps(GetParam().config, Schema::numeric(21), test::waveform(100));
}

TEST_P(Halves, AreTheStepForSeveralClasses) {
  const Kind kind{"", 3, false, nullptr};
  Minibatch data(3);
  const Minibatch late = labelled(kind, 140);
  // All classes are in the first minibatch: a new class changes the scores of companions.
  for (std::size_t i = 0; i < 100; ++i) {
    const auto x = data.add(i < 3 ? static_cast<Label>(i) : late.examples().y[i + 40]);
    std::ranges::copy(late.features().row(i + 40), x.begin());
  }
  ModelConfig config = GetParam().config;
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    config.multiclass = scheme;
    expect_halves_equal_steps(config, schema_of(kind), data);
  }
}

// By the definition, from the parts: calibrated with the scores as they were predicted.
TEST(Delayed, CalibratesWithTheScoresOfThePrediction) {
  ModelConfig config;
  config.ensemble.size = 3;
  config.ensemble.correctness = Correctness::before_batch;
  config.companions = {"label_history", "logistic_adaptive:forgetting=0.9"};
  config.calibrator = "stack";
  config.policy = "always:action=both";
  config.actions = {Action::both};
  const Kind kind{"", 2, false, nullptr};
  const Minibatch data = labelled(kind, 300);
  for (const std::size_t delay : {1u, 12u}) {
    Config full{.model = config, .label_delay = static_cast<std::int64_t>(delay)};
    full.encoder.standardize = EncoderOptions::Standardize::no;
    Model model(full, Schema::numeric(3));
    const auto said = label_delay_test::run(kind, model, data, 0, 300, 1);

    const ModelConfig parts = complete(config);
    ScoreSources sources(learners(), parts.ensemble, parts.learner, parts.companions, 3, 0,
                         parts.seed);
    const auto calibrator = calibrators().make(parts.calibrator, sources.columns());
    std::deque<ScoreTable> tables;
    Margins margins;
    for (std::size_t t = 0; t < 300; ++t) {
      tables.emplace_back();
      sources.scores(slice(data, t, t + 1).x, {.ahead = std::min(t, delay)}, tables.back(),
                     margins);
      double p = 0;
      calibrator->apply(tables.back().scores(), {&p, 1});
      ASSERT_EQ(said[t], p) << t;
      if (t < delay) continue;
      const Examples known = slice(data, t - delay, t - delay + 1);
      calibrator->observe(known.y);
      // The first round trains only.
      if (t > delay) calibrator->calibrate(tables.front().scores(), known.y);
      sources.ensemble().all_margins(known.x, margins);
      sources.train(known, margins);
      tables.pop_front();
    }
  }
}

// A mixture weighs its members by what they predicted at the time.
TEST(Delayed, WeighsCalibratorsByTheirPredictions) {
  for (const char* name : {"mixture:members=stack", "cascade"}) {
    const auto whole = calibrators().make(name, 2), traced = calibrators().make(name, 2);
    const auto late = calibrators().make(name, 2);
    const std::vector<double> scores{0.2, 0.7, 0.9, 0.4, 0.5, 0.8};
    std::vector<double> p(3), q(3), trace(3 * traced->trace_columns());
    traced->apply_traced(Scores(scores, 3), q, trace);
    const std::vector<double> first = trace;
    for (int round = 0; round < 20; ++round) {
      const std::vector<Label> labels{0, static_cast<Label>(round % 2), 1};
      whole->apply(Scores(scores, 3), p);
      traced->apply_traced(Scores(scores, 3), q, trace);
      ASSERT_EQ(p, q) << name;
      whole->calibrate(Scores(scores, 3), labels);
      traced->calibrate_traced(Scores(scores, 3), labels, trace);
      late->calibrate_traced(Scores(scores, 3), labels, first);
    }
    EXPECT_EQ(save_state(*whole), save_state(*traced)) << name;
    // Members that all said the same at the time keep their weights.
    EXPECT_NE(save_state(*whole), save_state(*late)) << name;
    EXPECT_NEAR(late->parts()[1].weight, late->parts()[2].weight, 1e-12) << name;  // rounding
  }
}

TEST(Delayed, DoesNotKnowAClassBeforeItsLabel) {
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    Config config = test::small_config("gaussian_nb", 1);
    config.model.companions = {"label_history"};
    config.model.calibrator = "stack";
    config.model.multiclass = scheme;
    config.label_delay = 5;
    std::string text = "x,y\n";
    for (int i = 0; i < 60; ++i) {
      text += std::to_string(i % 3) +
              (i == 40      ? ",new"
               : i % 3 == 0 ? ",a"
               : i % 3 == 1 ? ",b"
                            : ",c") +
              "\n";
    }
    test::Running running(test::stream_of(text), config);
    Session session(running.stream, running.model);
    for (std::size_t t = 0; t < 60 && session.step(); ++t) {
      const auto& [outputs, probabilities, scores, asked] = session.predictions();
      ASSERT_EQ(outputs, t < 40 ? 3u : 4u) << t;
      if (t < 40) continue;
      const double unseen = 1 / (static_cast<double>(t - 5) + 1);
      if (t <= 45) {
        ASSERT_DOUBLE_EQ(probabilities[3], unseen) << t;
      }
      ASSERT_EQ(running.model.view().class_counts[3], t < 45 ? 0u : 1u) << t;
    }
  }
}

// New categories widen the rows that wait.
TEST(Delayed, TakesNewCategories) {
  Config config = test::small_config("logistic", 1);
  config.label_delay = 8;
  std::string text = "x,colour,y\n";
  const char* const colours[] = {"red", "green", "blue", "white", "black"};
  for (int i = 0; i < 100; ++i) {
    text += std::to_string(i % 7) + "," + colours[i < 40 ? i % 2 : i % 5] +
            (i % 7 > 3 ? ",yes\n" : ",no\n");
  }
  test::Running whole(test::stream_of(text), config), parts(test::stream_of(text), config);
  Session session(whole.stream, whole.model), first(parts.stream, parts.model);
  const auto expected = test::run(session);
  auto said = test::run(first, 44);
  Model resumed = copy_of(parts.model);
  Session second(parts.stream, resumed);
  const auto rest = test::run(second);
  said.insert(said.end(), rest.begin(), rest.end());
  EXPECT_EQ(said, expected);
  EXPECT_TRUE(resumed.to_bytes() == whole.model.to_bytes());
}

TEST(Delayed, KeepsTheCostsOfRows) {
  Config config = test::small_config("gaussian_nb");
  config.model.reward = "cost:on=next_batch";
  config.label_delay = 6;
  const Minibatch data = labelled({"", 2, false, nullptr}, 40);
  Minibatch priced = data;
  for (std::size_t i = 0; i < 40; ++i) priced.add_costs({static_cast<double>(i), 50});
  Model with(config, Schema::numeric(3)), without(config, Schema::numeric(3));
  with.learn(priced.examples().part(0, 10));
  // Six rows with costs and four without become known.
  EXPECT_EQ(with.learn(slice(data, 10, 20)).size(), 2u);
  without.learn(slice(data, 0, 10));
  EXPECT_EQ(without.learn(slice(data, 10, 20)).size(), 1u);
  EXPECT_NE(with.view().parts[0].view.history[0].loss,
            without.view().parts[0].view.history[0].loss);
  EXPECT_TRUE(copy_of(with).to_bytes() == with.to_bytes());
}

TEST(Delayed, IsPartOfTheConfigurationIfThereIsOne) {
  EXPECT_EQ(to_json(preset("auto")).find("label_delay"), std::string::npos);
  Config config = overlay(preset("auto"), R"({"label_delay": 30})");
  EXPECT_EQ(config.label_delay, 30);
  EXPECT_NE(to_json(config).find(R"("label_delay":30)"), std::string::npos);
  EXPECT_EQ(overlay(preset("auto"), to_json(config)).label_delay, 30);
  for (const char* bad : {"-1", "1000001", "1.5", "\"x\""}) {
    expect_error(ErrorKind::config, {"label_delay"},
                 [&] { overlay(preset("auto"), std::string(R"({"label_delay": )") + bad + "}"); });
  }
}

// Files whose waiting rows are impossible.
TEST(Delayed, IsRefusedIfTheFileHasMoreRowsThanTheDelay) {
  const Kind& kind = kKinds[0];
  Model late(config_of(kind, 10), schema_of(kind));
  run(kind, late, labelled(kind, 30), 0, 30, 1);
  Tensors tensors = save_state(late);
  Model shorter(config_of(kind, 5), schema_of(kind));
  expect_error(ErrorKind::model_file, {"pending.rows"}, [&] { load_state(shorter, tensors); });
  for (Tensor& tensor : tensors) {
    if (tensor.name == "pending.labels") tensor.bytes[0] = std::byte{7};
  }
  Model equal(config_of(kind, 10), schema_of(kind));
  expect_error(ErrorKind::model_file, {"pending.labels"}, [&] { load_state(equal, tensors); });
}

}  // namespace
}  // namespace plumbline::label_delay_test
