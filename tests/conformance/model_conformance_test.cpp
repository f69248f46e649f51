// What every model promises, whatever it is made of.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/model/binary_model.h"
#include "tests/conformance/configurations.h"
#include "tests/support.h"

namespace plumbline::model_conformance_test {
namespace {

using test::NamedConfig;

class Conformance : public ::testing::TestWithParam<NamedConfig> {
 protected:
  BinaryModel make(std::size_t features, std::uint64_t seed = 1) const {
    ModelConfig config = GetParam().config;
    config.seed = seed;
    return {config, Schema::numeric(features)};
  }

  // Learns the data in small minibatches and expects usable probabilities all the way.
  static void expect_sane(BinaryModel& model, const Minibatch& data) {
    for (std::size_t from = 0; from < data.rows(); from += 7) {
      const Examples batch = test::slice(data, from, std::min(data.rows(), from + 7));
      std::vector<double> scores(batch.size()), probabilities(batch.size());
      const RoundRecord record = model.step(batch, scores, probabilities);
      ASSERT_TRUE(std::isfinite(record.loss) && std::isfinite(record.reward));
      for (const auto& values : {scores, probabilities, model.predict(batch.x)}) {
        for (const double p : values) ASSERT_TRUE(p >= 0 && p <= 1) << p;
      }
    }
    // Loading refuses anything that is not finite, so a loadable state is a sound one.
    const Tensors state = save_state(model);
    EXPECT_EQ(save_state(test::resumed(model, state)), state);
  }
};

// All that a model shows, written state aside: what was not saved shows here.
std::vector<double> everything_shown(const BinaryModel& model, const Minibatch& data) {
  std::vector<double> shown = model.predict(data.features());
  const BinaryView view = model.view();
  for (const auto& learner : view.learners) {
    shown.insert(shown.end(), {learner.correct_weight, learner.wrong_weight, learner.vote});
  }
  for (const auto& arm : view.arms) {
    shown.insert(shown.end(), {arm.estimate.pulls, arm.estimate.mean});
  }
  for (const auto& round : view.history) shown.insert(shown.end(), {round.loss, round.reward});
  return shown;
}

TEST_P(Conformance, SaveLoadContinueIsBitwiseEqualAtEveryCut) {
  constexpr std::size_t kBatch = 20, kRounds = 12;
  const Minibatch data = test::waveform(kBatch * kRounds);
  BinaryModel whole = make(21);
  std::vector<Tensors> states{save_state(whole)};
  for (std::size_t round = 0; round < kRounds; ++round) {
    whole.learn(test::slice(data, round * kBatch, (round + 1) * kBatch));
    states.push_back(save_state(whole));
  }
  for (std::size_t cut = 0; cut <= kRounds; ++cut) {
    BinaryModel resumed = test::resumed(whole, states[cut]);
    for (std::size_t round = cut; round < kRounds; ++round) {
      resumed.learn(test::slice(data, round * kBatch, (round + 1) * kBatch));
    }
    EXPECT_EQ(save_state(resumed), states[kRounds]) << "cut after " << cut << " rounds";
    EXPECT_EQ(everything_shown(resumed, data), everything_shown(whole, data)) << cut;
  }
}

TEST_P(Conformance, PredictChangesNothing) {
  const Minibatch data = test::waveform(200);
  BinaryModel model = make(21), asked = make(21);
  for (std::size_t from = 0; from < 200; from += 20) {
    const auto before = save_state(asked);
    const auto first = asked.predict(data.features());
    EXPECT_EQ(asked.predict(data.features()), first);
    EXPECT_EQ(save_state(asked), before);
    model.learn(test::slice(data, from, from + 20));
    asked.learn(test::slice(data, from, from + 20));
  }
  EXPECT_EQ(save_state(asked), save_state(model));
}

TEST_P(Conformance, PredictBeforeLearningGivesThePrior) {
  EXPECT_EQ(make(21).predict(test::waveform(3).features()), std::vector<double>(3, 0.5));
}

TEST_P(Conformance, StepPredictsWhatPredictPredicts) {
  const Minibatch data = test::waveform(100);
  BinaryModel model = make(21);
  for (std::size_t from = 0; from < 100; from += 20) {
    const Examples batch = test::slice(data, from, from + 20);
    std::vector<double> scores(20), probabilities(20), raw(20);
    std::vector<double> predicted(20);
    model.predict(batch.x, raw, predicted);
    EXPECT_EQ(model.predict(batch.x), predicted);
    model.step(batch, scores, probabilities);
    EXPECT_EQ(probabilities, predicted);
    EXPECT_EQ(scores, raw);
  }
}

TEST_P(Conformance, OneClassStreamsAreLearnedAsSuch) {
  const Minibatch source = test::waveform(140);
  for (const Label label : {Label{0}, Label{1}}) {
    Minibatch data(21);
    for (std::size_t i = 0; i < source.rows(); ++i) {
      const auto x = source.features().row(i);
      std::copy(x.begin(), x.end(), data.add(label).begin());
    }
    BinaryModel model = make(21);
    expect_sane(model, data);
    for (const double p : model.predict(data.features()))
      EXPECT_TRUE(label == 1 ? p >= 0.5 : p <= 0.5);
  }
}

TEST_P(Conformance, ConstantFeaturesDoNoHarm) {
  Minibatch data(3);
  for (int i = 0; i < 140; ++i) {
    const auto x = data.add(i % 3 == 0 ? 1 : 0);
    x[0] = 0;
    x[1] = -4.5;
    x[2] = i % 3 == 0 ? 1 : 1 + 1e-9 * i;
  }
  BinaryModel model = make(3);
  expect_sane(model, data);
  Minibatch all_constant(2);
  for (int i = 0; i < 70; ++i) all_constant.add(i % 2 == 0 ? 1 : 0)[0] = 7;
  BinaryModel other = make(2);
  expect_sane(other, all_constant);
}

TEST_P(Conformance, HugeAndTinyFeaturesDoNoHarm) {
  for (const double scale : {1e150, 1e-150}) {
    Rng rng(3, 0, 0);
    Minibatch data(4);
    for (int i = 0; i < 140; ++i) {
      const auto y = static_cast<Label>(rng.below(2));
      const auto x = data.add(y);
      x[0] = (2 * rng.uniform() - 1) * scale;
      x[1] = rng.normal();
      x[2] = y == 1 ? scale : -scale;
      x[3] = i % 10 == 0 ? -1e150 : 0;
    }
    BinaryModel model = make(4);
    expect_sane(model, data);
  }
}

TEST_P(Conformance, TheSameSeedGivesTheSameBits) {
  const Minibatch data = test::waveform(200);
  BinaryModel a = make(21, 5), b = make(21, 5);
  for (std::size_t from = 0; from < 200; from += 20) {
    a.learn(test::slice(data, from, from + 20));
    b.learn(test::slice(data, from, from + 20));
  }
  EXPECT_EQ(save_state(a), save_state(b));
}

TEST_P(Conformance, MinibatchesOfOneWork) {
  const Minibatch data = test::waveform(120);
  BinaryModel model = make(21);
  for (std::size_t i = 0; i < 120; ++i) model.learn(test::slice(data, i, i + 1));
  EXPECT_EQ(model.view().rounds, 120u);
  for (const double p : model.predict(data.features())) EXPECT_TRUE(p >= 0 && p <= 1);
}

TEST_P(Conformance, TheConfigurationReadsBackToTheSameModel) {
  const BinaryModel model = make(21);
  const BinaryModel again(config_from_json(to_json(model.config())), model.features());
  EXPECT_EQ(save_state(again), save_state(model));
}

INSTANTIATE_TEST_SUITE_P(Every, Conformance, ::testing::ValuesIn(test::configurations()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plumbline::model_conformance_test
