#include "plumbline/model/multiclass_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/math/loss.h"
#include "plumbline/metrics/multiclass.h"
#include "plumbline/model.h"
#include "plumbline/model/model_file.h"
#include "tests/support.h"

namespace plumbline::multiclass_model_test {
namespace {

using test::expect_error;
using test::slice;

constexpr std::size_t kFeatures = 3;

// Clouds around the corners of a triangle, class k from row `late * k` on.
Minibatch clouds(std::size_t rows, std::size_t classes, std::size_t late = 0) {
  Minibatch batch(kFeatures);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(9, 0, i);
    const std::size_t known = late == 0 ? classes : std::min(classes, 1 + i / late);
    const auto k = static_cast<Label>(rng.below(known));
    const auto x = batch.add(k);
    const double angle = 6.283185307179586 * k / static_cast<double>(classes);
    x[0] = 2 * std::cos(angle) + rng.normal();
    x[1] = 2 * std::sin(angle) + rng.normal();
    x[2] = rng.normal();
  }
  return batch;
}

Schema schema_of(std::size_t classes, std::size_t features = kFeatures) {
  Schema schema = Schema::numeric(features);
  for (std::size_t k = 0; k < classes; ++k) schema.classes.push_back("c" + std::to_string(k));
  return schema;
}

ModelConfig config_of(Multiclass scheme) {
  ModelConfig config;
  config.ensemble.size = 3;
  config.ensemble.correctness = Correctness::before_update;
  config.ensemble.score = ScoreKind::logistic;
  config.calibrator = "platt_newton";
  config.policy = "always:action=both";
  config.actions = {Action::train, Action::calibrate, Action::both};
  config.multiclass = scheme;
  return config;
}

// Steps over the data; the probabilities of every row.
std::vector<double> run(MulticlassModel& model, const Minibatch& data, std::size_t from = 0,
                        std::size_t batch = 20) {
  std::vector<double> all;
  for (std::size_t at = from; at < data.rows(); at += batch) {
    const Examples part = slice(data, at, std::min(data.rows(), at + batch));
    std::vector<double> scores(part.size() * model.classes()), probabilities(scores.size());
    model.step(part, scores, probabilities);
    all.insert(all.end(), probabilities.begin(), probabilities.end());
  }
  return all;
}

class BothSchemes : public testing::TestWithParam<Multiclass> {};

INSTANTIATE_TEST_SUITE_P(Multiclass, BothSchemes, testing::Values(Multiclass::ovr, Multiclass::ovo),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(BothSchemes, LearnWhatThereIsToLearn) {
  const Minibatch data = clouds(2000, 4);
  MulticlassModel model(config_of(GetParam()), schema_of(4));
  const auto probabilities = run(model, data);
  MulticlassMetrics metrics;
  metrics.grow(4);
  metrics.observe(probabilities, data.examples().y);
  // Bayes' rule is right in about 0.85 of the cases; the shares alone in 0.25.
  EXPECT_GT(metrics.accuracy(), 0.75);
  EXPECT_LT(metrics.log_loss(), 0.6);
}

TEST_P(BothSchemes, SayTheSameOfEachClassBeforeAnyLearning) {
  const MulticlassModel model(config_of(GetParam()), schema_of(4));
  for (const double p : model.predict(clouds(5, 4).features())) EXPECT_EQ(p, 0.25);
}

TEST_P(BothSchemes, GiveProbabilitiesThatSumToOneAlsoOfClassesNeverSeen) {
  const Minibatch data = clouds(300, 5, /*late=*/60);
  MulticlassModel model(config_of(GetParam()), schema_of(6));
  const auto all = run(model, data);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double p = all[i * 6 + k];
      ASSERT_TRUE(p >= 0 && p <= 1) << p;
      sum += p;
    }
    ASSERT_NEAR(sum, 1, 1e-12);  // rounding
  }
  // 300 examples, and one class that never came.
  EXPECT_DOUBLE_EQ(model.predict(slice(data, 0, 1).x)[5], 1.0 / 301);
}

TEST_P(BothSchemes, GoOnExactlyWhereTheyStopped) {
  const Minibatch data = clouds(240, 4, /*late=*/50);
  MulticlassModel whole(config_of(GetParam()), schema_of(4));
  const auto expected = run(whole, data);
  for (std::size_t cut = 0; cut <= 240; cut += 20) {
    MulticlassModel first(config_of(GetParam()), schema_of(4));
    Minibatch head(kFeatures);
    for (std::size_t i = 0; i < cut; ++i) {
      std::ranges::copy(data.features().row(i), head.add(data.examples().y[i]).begin());
    }
    run(first, head);
    MulticlassModel second = test::resumed(first, save_state(first));
    const auto rest = run(second, data, cut);
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(),
                           expected.begin() + static_cast<std::ptrdiff_t>(cut * 4)))
        << "cut after " << cut;
    EXPECT_EQ(save_state(second), save_state(whole)) << "cut after " << cut;
  }
}

TEST_P(BothSchemes, LearnTheSameWithAndWithoutPredicting) {
  const Minibatch data = clouds(200, 4, /*late=*/30);
  MulticlassModel stepping(config_of(GetParam()), schema_of(4));
  MulticlassModel learning(config_of(GetParam()), schema_of(4));
  for (std::size_t at = 0; at < 200; at += 20) {
    const Examples part = slice(data, at, at + 20);
    const auto before = learning.predict(part.x);
    std::vector<double> scores(80), probabilities(80);
    const auto stepped = stepping.step(part, scores, probabilities);
    EXPECT_EQ(probabilities, before) << at;
    EXPECT_EQ(stepped.size(), learning.learn(part).size());
    EXPECT_EQ(save_state(stepping), save_state(learning)) << at;
  }
}

TEST_P(BothSchemes, ArePredictedWithoutAChange) {
  const Minibatch data = clouds(200, 4);
  MulticlassModel model(config_of(GetParam()), schema_of(4));
  run(model, data);
  const auto before = save_state(model);
  const auto once = model.predict(data.features());
  EXPECT_EQ(model.predict(data.features()), once);
  EXPECT_EQ(save_state(model), before);
}

// Whether a class is in the list from the start or added when it comes makes no difference.
TEST_P(BothSchemes, GrowByClassesAsIfTheyHadBeenThere) {
  const Minibatch data = clouds(300, 4, /*late=*/60);
  MulticlassModel whole(config_of(GetParam()), schema_of(4));
  run(whole, data);
  MulticlassModel grown(config_of(GetParam()), schema_of(1));
  for (std::size_t at = 0; at < data.rows(); at += 20) {
    const Examples part = slice(data, at, at + 20);
    grown.grow(kFeatures, std::max<std::size_t>(
                              grown.classes(), std::size_t{1} + *std::ranges::max_element(part.y)));
    grown.learn(part);
  }
  ASSERT_EQ(grown.classes(), 4u);
  EXPECT_EQ(save_state(grown), save_state(whole));
}

TEST_P(BothSchemes, GrowByFeaturesAsIfTheyHadBeenZero) {
  const Minibatch narrow = clouds(120, 3);
  Minibatch wide = narrow;
  wide.widen(kFeatures + 2);
  MulticlassModel grown(config_of(GetParam()), schema_of(3));
  MulticlassModel whole(config_of(GetParam()), schema_of(3, kFeatures + 2));
  run(grown, narrow);
  run(whole, wide);
  grown.grow(kFeatures + 2, 3);
  EXPECT_EQ(save_state(grown), save_state(whole));
  EXPECT_EQ(run(grown, wide), run(whole, wide));
}

// (One against one, a binary model whose classes change places is another one.)
TEST(MulticlassModel, OneAgainstRestDoesNotMindTheOrderOfTheClasses) {
  const Minibatch data = clouds(400, 3);
  const std::vector<std::size_t> order{2, 0, 1};
  Minibatch renamed(kFeatures);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto label = static_cast<Label>(order[data.examples().y[i]]);
    std::ranges::copy(data.features().row(i), renamed.add(label).begin());
  }
  // Without random numbers: the seeds of the binary models depend on their places.
  ModelConfig config = config_of(Multiclass::ovr);
  config.ensemble.resample = OnlineBoost::Resample::no;
  MulticlassModel model(config, schema_of(3)), other(config, schema_of(3));
  const auto p = run(model, data), q = run(other, renamed);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      // Sums in another order, and what the sharpness makes of that.
      ASSERT_NEAR(q[i * 3 + order[k]], p[i * 3 + k], 1e-9) << i;
    }
  }
}

TEST_P(BothSchemes, StandExtremeFeatures) {
  Minibatch data(kFeatures);
  for (std::size_t i = 0; i < 200; ++i) {
    const auto x = data.add(static_cast<Label>(i % 3));
    x[0] = i % 2 == 0 ? 1e150 : -1e150;
    x[1] = 1e-300;
    x[2] = static_cast<double>(i % 3);
  }
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    ModelConfig config = config_of(GetParam());
    config.learner = learner;
    MulticlassModel model(config, schema_of(3));
    for (const double p : run(model, data)) ASSERT_TRUE(p >= 0 && p <= 1) << p;
  }
}

TEST(MulticlassModel, OneAgainstOneOfTwoClassesIsTheBinaryModel) {
  Minibatch data = clouds(400, 2);
  const ModelConfig config = config_of(Multiclass::ovo);
  MulticlassModel several(config, schema_of(2));
  BinaryModel binary(config, Schema::numeric(kFeatures));
  const auto p = run(several, data);
  for (std::size_t at = 0; at < 400; at += 20) {
    std::vector<double> scores(20), probabilities(20);
    binary.step(slice(data, at, at + 20), scores, probabilities);
    for (std::size_t i = 0; i < 20 && at > 0; ++i) {
      ASSERT_NEAR(p[(at + i) * 2 + 1], probabilities[i], 1e-13);  // rounding of the coupling
    }
  }
  EXPECT_EQ(save_state(*several.parts().front().model), save_state(binary));
}

TEST(MulticlassModel, OneAgainstOneShowsAModelTheRowsOfItsTwoClassesOnly) {
  const Minibatch data = clouds(300, 3);
  MulticlassModel model(config_of(Multiclass::ovo), schema_of(3));
  run(model, data);
  ASSERT_EQ(model.parts().size(), 3u);
  for (const auto& part : model.parts()) {
    EXPECT_EQ(part.model->view(0).examples,
              model.counts()[part.of] + model.counts()[*part.against]);
  }
  MulticlassModel rest(config_of(Multiclass::ovr), schema_of(3));
  run(rest, data);
  for (const auto& part : rest.parts()) EXPECT_EQ(part.model->view(0).examples, 300u);
}

TEST(MulticlassModel, OneAgainstRestTeachesAModelEveryRowFromTheFirstOfItsClassOn) {
  const Minibatch data = clouds(300, 3);
  MulticlassModel model(config_of(Multiclass::ovr), schema_of(3));
  run(model, data, 0, /*batch=*/1);
  const auto labels = data.examples().y;
  for (const auto& part : model.parts()) {
    const auto first = std::find(labels.begin(), labels.end(), part.of) - labels.begin();
    EXPECT_EQ(part.model->view(0).examples, 300u - static_cast<std::size_t>(first)) << part.of;
  }
}

TEST(MulticlassModel, GivesEachBinaryModelASeedOfItsOwn) {
  MulticlassModel model(config_of(Multiclass::ovr), schema_of(3));
  run(model, clouds(60, 3));
  EXPECT_EQ(model.parts()[0].model->config().seed, 1u);
  EXPECT_EQ(model.parts()[1].model->config().seed, Rng(1, kMulticlassStream, 1).bits());
  EXPECT_NE(model.parts()[1].model->config().seed, model.parts()[2].model->config().seed);
}

TEST(MulticlassModel, RefusesWhatCannotBeMade) {
  expect_error(ErrorKind::config, {"needs classes"},
               [] { MulticlassModel(config_of(Multiclass::ovr), Schema::numeric(2)); });
  ModelConfig config = config_of(Multiclass::ovr);
  config.policy = "nosuch";
  expect_error(ErrorKind::config, {"nosuch"}, [&] { MulticlassModel(config, schema_of(2)); });
}

TEST(MulticlassModel, TakesAsManyClassesAsALabelCanTellApart) {
  MulticlassModel model(config_of(Multiclass::ovr), schema_of(256));
  Minibatch data(kFeatures);
  for (std::size_t k = 0; k < 256; ++k) data.add(static_cast<Label>(k))[0] = static_cast<double>(k);
  run(model, data, 0, 256);
  const auto p = model.predict(data.features());
  for (const double value : p) ASSERT_TRUE(value >= 0 && value <= 1);
}

// A file says of how many classes it is, and its state must be of as many.
TEST(MulticlassModel, AFileOfTwoClassesIsNoneOfSeveralAndTheOtherWayRound) {
  const Config config{.model = config_of(Multiclass::ovr)};
  const ModelFile several = decode(Model(config, schema_of(3)).to_bytes(), "a");
  const ModelFile two = decode(Model(config, Schema::numeric(kFeatures)).to_bytes(), "a");
  ModelFile mixed = several;
  mixed.tensors = two.tensors;
  expect_error(ErrorKind::model_file, {"a: ", "counts"},
               [&] { Model::from_bytes(encode(mixed), "a"); });
  mixed = two;
  mixed.tensors = several.tensors;
  expect_error(ErrorKind::model_file, {"a: "}, [&] { Model::from_bytes(encode(mixed), "a"); });
}

// A file that was changed on purpose.
TEST(MulticlassModel, RefusesImpossibleFiles) {
  const Config small{.model = config_of(Multiclass::ovr)};
  Model model(small, schema_of(3));
  model.learn(clouds(60, 3).examples());
  const ModelFile file = decode(model.to_bytes(), "a");
  const auto refused = [&](ModelFile changed, std::initializer_list<const char*> parts) {
    expect_error(ErrorKind::model_file, parts, [&] { Model::from_bytes(encode(changed), "a"); });
  };
  ModelFile changed = file;
  changed.tensors.pop_back();
  refused(changed, {"class3"});
  changed = file;
  for (Tensor& tensor : changed.tensors) {
    if (tensor.name == "counts") std::ranges::fill(tensor.bytes, std::byte{0xFF});
  }
  refused(changed, {"counts", "too large"});
  changed = file;
  for (Tensor& tensor : changed.tensors) {
    if (tensor.name == "counts") std::ranges::fill(tensor.bytes, std::byte{0});
  }
  refused(changed, {"pieces of state", "requires 9"});
  // Learners without end, in a short file.
  changed = file;
  Config config = model.config();
  config.model.ensemble.size = 10000;
  changed.config = to_json(config);
  refused(changed, {"too short"});
}

TEST(MulticlassModel, LoadsOverWhatItHasLearned) {
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    ModelConfig config = config_of(scheme);
    config.companions = {"forest:trees=3", "label_history"};
    config.calibrator = "cascade";
    MulticlassModel model(config, schema_of(3));
    const Minibatch data = clouds(200, 3);
    model.learn(test::slice(data, 0, 100));
    const Tensors before = save_state(model);
    model.learn(test::slice(data, 100, 200));
    load_state(model, before);
    EXPECT_EQ(save_state(model), before);
    model.learn(test::slice(data, 100, 200));
    MulticlassModel other(config, schema_of(3));
    load_state(other, before);
    other.learn(test::slice(data, 100, 200));
    EXPECT_EQ(save_state(model), save_state(other));
  }
}

// Files of earlier versions held the model of numbers alone.
TEST(MulticlassModel, IsOpenedFromAFileWithoutColumns) {
  MulticlassModel numbers(config_of(Multiclass::ovo), schema_of(3));
  const Minibatch data = clouds(100, 3);
  run(numbers, data);
  const Model like({.model = config_of(Multiclass::ovo)}, schema_of(3));
  const ModelFile old{to_json(numbers.config()), decode(like.to_bytes(), "a").schema, "",
                      save_state(numbers)};
  const Model model = Model::from_bytes(encode(old), "a");
  ASSERT_TRUE(model.several_classes());
  ASSERT_EQ(model.outputs(), 3u);
  EXPECT_EQ(model.predict(data.features()), numbers.predict(data.features()));
}

}  // namespace
}  // namespace plumbline::multiclass_model_test
