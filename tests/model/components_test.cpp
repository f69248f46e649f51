// Components that a user brings along.
#include "plumbline/components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "plumbline/model.h"
#include "plumbline/session.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::components_test {
namespace {

using test::expect_error;

// Counts the weight of each class, and says which one is heavier.
class Majority : public RowLearner {
 public:
  struct Params {
    double first = 0.5;
    void visit(OptionVisitor& visitor) {
      visitor.real("first", first, Range::closed(0, 10), "the weight of each class to begin with");
    }
  };
  static constexpr LearnerTraits kTraits{.scale_free = true};

  Majority(const Params& params, FeatureSpace) : weights_{params.first, params.first} {}
  void grow(std::size_t) override {}
  void archive(Archive& archive) override { archive.values("weights", weights_); }

 protected:
  double margin(std::span<const double>) const override { return weights_[1] - weights_[0]; }
  void learn(std::span<const double>, Label label, double weight) override {
    weights_[label] += weight;
  }

 private:
  std::array<double, 2> weights_;
};

// One that needs scaling, and remembers the widest row that it was given.
class Widest : public RowLearner {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };
  Widest(const Params&, FeatureSpace) {}
  void grow(std::size_t) override {}
  void archive(Archive& archive) override { archive.value("width", width_); }

 protected:
  double margin(std::span<const double>) const override { return width_; }
  void learn(std::span<const double> row, Label, double) override {
    width_ = std::max(width_, static_cast<double>(row.size()));
  }

 private:
  double width_ = 0;
};

class Half : public ScoreCalibrator {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };
  Half(const Params&, std::size_t) {}
  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double>, std::span<const Label>) override {}
  void apply(std::span<const double>, std::span<double> probabilities) const override {
    std::ranges::fill(probabilities, 0.5);
  }
  void archive(Archive&) override {}
};

class Last : public Policy {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };
  Last(const Params&, std::span<const Action> actions, std::uint64_t) : last_(actions.size() - 1) {}
  std::size_t choose(const Round&) const override { return last_; }

 private:
  std::size_t last_;
};

Components mine() {
  Components components = Components::builtin();
  components.learners.add(learner_row<Majority>("majority", "the heavier class"));
  components.learners.add(learner_row<Widest>("widest", "the widest row"));
  components.calibrators.add(CalibratorRegistry::row<Half>("half", "always 1/2"));
  components.policies.add(PolicyRegistry::row<Last>("last", "the last action"));
  return components;
}

Config with(const Spec& learner) {
  Config config;
  config.model.learner = learner;
  return config;
}

TEST(Components, OfAUserWorkAndSurviveAFile) {
  const Components components = mine();
  Config config = with("majority:first=2");
  config.model.companions = {"majority"};
  config.model.policy = "last";
  Model model(config, Schema::numeric(21), components);
  const Minibatch data = test::waveform(400);
  model.learn(data.examples());
  const auto records = model.learn(data.examples());
  EXPECT_EQ(records[0].action, Action::calibrate);
  Model loaded = Model::from_bytes(model.to_bytes(), "m", components);
  EXPECT_EQ(loaded.config().model.learner, Spec("majority").set("first", 2.0));
  EXPECT_EQ(loaded.predict(data.features()), model.predict(data.features()));
  loaded.learn(data.examples());
  model.learn(data.examples());
  EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
}

TEST(Components, AFileThatNeedsOthersSaysWhich) {
  const Components components = mine();
  const auto bytes_of = [&](const auto& change) {
    Config config;
    change(config.model);
    return Model(config, Schema::numeric(1), components).to_bytes();
  };
  const auto expect_missing = [&](const char* what, const auto& change) {
    expect_error(ErrorKind::model_file, {"m: it needs the ", what},
                 [&] { Model::from_bytes(bytes_of(change), "m"); });
  };
  expect_missing("learner 'majority'", [](ModelConfig& config) { config.learner = "majority"; });
  expect_missing("learner 'widest'", [](ModelConfig& config) { config.companions = {"widest"}; });
  expect_missing("calibrator 'half'", [](ModelConfig& config) { config.calibrator = "half"; });
  expect_missing("policy 'last'", [](ModelConfig& config) { config.policy = "last"; });
}

TEST(Components, OfACalibratorDecideTheProbabilities) {
  Config config;
  config.model.calibrator = "half";
  config.model.actions = {Action::both};
  config.model.policy = "last";
  Model model(config, Schema::numeric(21), mine());
  const Minibatch data = test::waveform(100);
  model.learn(data.examples());
  EXPECT_EQ(model.predict(data.features()), std::vector<double>(100, 0.5));
}

TEST(Components, AreKnownToClassesThatComeLater) {
  const Components components = mine();
  Config config = with("majority");
  Schema schema = Schema::numeric(2);
  schema.classes = {"a", "b"};
  std::optional<Model> model;
  {
    const Components going = components;  // the model keeps its own
    model.emplace(config, schema, going);
  }
  const std::string third[] = {"c"};
  model->add_classes(third);
  model->learn(test::rows({{{1, 2}, 0}, {{2, 1}, 1}, {{3, 3}, 2}}).examples());
  EXPECT_EQ(Model::from_bytes(model->to_bytes(), "m", components).to_bytes(), model->to_bytes());
}

TEST(Components, TheirTraitsDecideWhetherFeaturesAreScaled) {
  EXPECT_FALSE(Model(with("majority"), Schema::numeric(2), mine()).standardizes());
  EXPECT_TRUE(Model(with("widest"), Schema::numeric(2), mine()).standardizes());
}

TEST(Components, ALearnerOfDenseRowsIsGivenNoOthers) {
  Schema schema = Schema::numeric(7);
  schema.sparse = true;
  Model model(with("widest"), schema, mine());
  const std::vector<Entry> entries{{1, 2.0}, {6, 1.0}};
  const std::vector<std::size_t> starts{0, 1, 2};
  const std::vector<Label> labels{0, 1};
  const Batch rows{.rows = 2, .columns = 7, .entries = entries, .starts = starts};
  model.learn({rows, labels});
  const Tensors state = save_state(model);
  const auto found = std::ranges::find_if(
      state, [](const Tensor& tensor) { return tensor.name.ends_with("learner1.width"); });
  ASSERT_NE(found, state.end());
  double seven = 0;
  std::memcpy(&seven, found->bytes.data(), sizeof seven);
  EXPECT_EQ(seven, 7);
}

TEST(Components, OfOneNameAreRefused) {
  Components components = mine();
  expect_error(ErrorKind::config, {"there is a learner 'majority' already"},
               [&] { components.learners.add(learner_row<Majority>("majority", "again")); });
  expect_error(ErrorKind::config, {"there is a policy 'ucb1' already"},
               [&] { components.policies.add(PolicyRegistry::row<Last>("ucb1", "mine")); });
  EXPECT_EQ(components.policies.rows().size(), policies().rows().size() + 1);
}

TEST(Components, UnknownOnesAreRefusedWithTheNearest) {
  expect_error(ErrorKind::config, {"unknown learner 'majorty'", "did you mean 'majority'"},
               [] { Model(with("majorty"), Schema::numeric(1), mine()); });
  expect_error(ErrorKind::config, {"'first' of learner 'majority'", "[0, 10]"},
               [] { Model(with("majority:first=11"), Schema::numeric(1), mine()); });
}

TEST(RowLearner, RepeatsOrWeighsAndSkipsWhatHasNoWeight) {
  const Minibatch data = test::rows({{{1}, 1}, {{2}, 0}, {{3}, 1}});
  const std::vector<double> weights{3, 0, 2};
  const auto weight_of = [&](Weighting weighting) {
    Majority learner({}, 1);
    learner.learn_batch(data.examples(), weights, weighting);
    std::vector<double> margins(3);
    learner.margins(data.features(), margins);
    return margins[0];
  };
  EXPECT_EQ(weight_of(Weighting::importance), 5);
  EXPECT_EQ(weight_of(Weighting::repetitions), 5);
  Majority learner({}, 1);
  std::vector<Label> votes(3);
  learner.learn_each(data.examples(), weights, {.correctness = Correctness::before_update}, votes);
  EXPECT_EQ(votes, (std::vector<Label>{0, 1, 1}));
}

TEST(Session, MakesAModelOfItsOwn) {
  Session session(test::stream_of("x,label\n1,0\n2,1\n3,0\n4,1\n"), with("gaussian_nb"), {}, {},
                  mine());
  std::size_t rows = 0;
  while (session.step(3)) rows += session.labels().size();
  EXPECT_EQ(rows, 4u);
  EXPECT_EQ(session.position(), 4u);
  EXPECT_EQ(session.model().schema().features, std::vector<std::string>{"x"});
  EXPECT_EQ(session.predictions().probabilities.size(), 1u);
}

TEST(Session, OfAGeneratorNeedsNoMore) {
  Session session(open_generator("sea", 3), with("gaussian_nb"), {}, {.limit = 120});
  std::size_t steps = 0;
  while (session.step()) ++steps;
  EXPECT_EQ(steps, 3u);
  EXPECT_EQ(session.position(), 120u);
}

TEST(Session, WithoutARowSaysSo) {
  expect_error(ErrorKind::data, {"a file"},
               [] { Session(test::stream_of("x,label\n"), with("gaussian_nb")); });
}

}  // namespace
}  // namespace plumbline::components_test
