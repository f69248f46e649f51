// What calibrators do when the model finds a drift.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plumbline/calibrators/mixture.h"
#include "plumbline/calibrators/registry.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model/binary_model.h"
#include "tests/calibrators/support.h"
#include "tests/support.h"

namespace plumbline {
namespace {

const std::vector<std::string> kForgetful{"platt_newton", "beta",     "spline",
                                          "histogram",    "residual", "isotonic",
                                          "mixture",      "stack",    "cascade"};

struct Scored {
  std::vector<double> scores;
  std::vector<Label> labels;
};

// Scores over [0, 1], and labels that are 1 with probability chance(score).
template <class Chance>
Scored draw(std::size_t count, std::uint64_t seed, const Chance& chance) {
  Rng rng(seed, 78, 0);
  Scored result;
  for (std::size_t i = 0; i < count; ++i) {
    result.scores.push_back(rng.uniform());
    result.labels.push_back(rng.uniform() < chance(result.scores.back()) ? 1 : 0);
  }
  return result;
}

const auto kBefore = [](double score) { return score; };
const auto kAfter = [](double) { return 0.3; };

double mean_log_loss(const Calibrator& calibrator, const Scored& sample) {
  std::vector<double> probabilities(sample.scores.size());
  calibrator.apply(sample.scores, probabilities);
  return mean_loss(probabilities, sample.labels, log_loss);
}

TEST(OnDrift, EveryCalibratorThatForgetsHasTheOptionAndNoOtherReacts) {
  for (const auto& row : calibrators().rows()) {
    EXPECT_EQ(calibrators().make(Spec(row.name), 1)->kept_on_drift(), 1) << row.name;
    const bool forgetful = std::ranges::find(kForgetful, row.name) != kForgetful.end();
    const bool has_option =
        std::ranges::any_of(row.options, [](const auto& one) { return one.name == "on_drift"; });
    EXPECT_EQ(has_option, forgetful) << row.name;
    if (!forgetful) continue;
    EXPECT_EQ(calibrators().make(Spec(row.name).set("on_drift", 0.25), 1)->kept_on_drift(), 0.25);
  }
}

TEST(OnDrift, KeepingEverythingChangesNothing) {
  const Scored past = draw(500, 1, kBefore);
  for (const std::string& name : kForgetful) {
    const auto calibrator = calibrators().make(Spec(name), 1);
    calibrator->calibrate(past.scores, past.labels);
    const Tensors before = save_state(*calibrator);
    calibrator->fade(1);
    EXPECT_EQ(save_state(*calibrator), before) << name;
  }
}

// After the world has changed, a calibrator that has faded comes to terms with it sooner. It never
// forgets by itself here, so that nothing but the fading helps.
TEST(OnDrift, AFadedPastGivesWaySooner) {
  const Scored past = draw(2000, 1, kBefore), now = draw(100, 2, kAfter),
               later = draw(2000, 3, kAfter);
  for (const std::string& name : kForgetful) {
    const Spec spec =
        name == "mixture" || name == "cascade" ? Spec(name) : Spec(name).set("forgetting", 1.0);
    double last = HUGE_VAL;
    // A cascade has little left for its second half to begin with after 0.01.
    const double least = name == "cascade" ? 0.1 : 0.01;
    for (const double keep : {1.0, 0.3, least}) {
      const auto calibrator = calibrators().make(spec, 1);
      calibrator->calibrate(past.scores, past.labels);
      calibrator->fade(keep);
      calibrator->calibrate(now.scores, now.labels);
      const double loss = mean_log_loss(*calibrator, later);
      EXPECT_LT(loss, last) << name << " keeps " << keep;
      last = loss;
    }
  }
}

TEST(OnDrift, NothingOfThePastIsLeftIfNothingIsKept) {
  const Scored past = draw(2000, 1, kBefore);
  for (const std::string& name : kForgetful) {
    const auto calibrator = calibrators().make(Spec(name), 1);
    calibrator->calibrate(past.scores, past.labels);
    calibrator->fade(0);
    const Tensors state = save_state(*calibrator);
    const auto loaded = calibrators().make(Spec(name), 1);
    load_state(*loaded, state);  // a state that a file may hold
    for (const double score : {0.0, 0.2, 0.5, 1.0}) {
      const double probability = test::apply(*calibrator, score);
      EXPECT_TRUE(probability >= 0 && probability <= 1) << name;
      EXPECT_EQ(test::apply(*loaded, score), probability) << name;
    }
  }
  // The members are as likely as each other again.
  Mixture mixture({}, 1);
  mixture.calibrate(past.scores, past.labels);
  mixture.fade(0);
  for (const double weight : mixture.weights()) {
    EXPECT_DOUBLE_EQ(weight, 1.0 / static_cast<double>(mixture.weights().size()));
  }
}

// A stream whose labels turn round in the middle.
class Turning : public testing::Test {
 protected:
  static constexpr std::size_t kBatch = 50, kRounds = 60;

  Turning() : data_(21) {
    const Minibatch drawn = test::waveform(kBatch * kRounds);
    for (std::size_t i = 0; i < drawn.rows(); ++i) {
      const Label label = drawn.examples().y[i];
      const auto row = drawn.features().row(i);
      std::ranges::copy(row, data_.add(i < drawn.rows() / 2 ? label : 1 - label).begin());
    }
  }

  static ModelConfig config(double on_drift) {
    ModelConfig result = preset("auto").model;
    result.ensemble.size = 3;
    result.calibrator = Spec("platt_newton").set("on_drift", on_drift);
    return result;
  }

  void learn(BinaryModel& model, std::size_t round) const {
    model.learn(test::slice(data_, round * kBatch, (round + 1) * kBatch));
  }

  Minibatch data_;
};

TEST_F(Turning, TheCalibratorFadesInTheRoundOfTheSignalAndNotBefore) {
  BinaryModel heeds(config(0.1), Schema::numeric(21)), ignores(config(1), Schema::numeric(21));
  std::size_t signal = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    EXPECT_EQ(heeds.predict(data_.features()) != ignores.predict(data_.features()), signal > 0);
    learn(heeds, round);
    learn(ignores, round);
    if (signal == 0 && (*heeds.view().context)[kDrift] == 1) signal = round;
  }
  // The labels turn with round 30. Its examples are known when it is learned from.
  EXPECT_GE(signal, kRounds / 2);
  EXPECT_LE(signal, kRounds / 2 + 3);
  EXPECT_FALSE(ignores.view().context);
}

TEST_F(Turning, AModelResumesAtEveryCut) {
  BinaryModel whole(config(0.1), Schema::numeric(21));
  std::vector<Tensors> states;
  for (std::size_t round = 0; round < kRounds; ++round) {
    states.push_back(save_state(whole));
    learn(whole, round);
  }
  for (std::size_t cut = 0; cut < kRounds; cut += 4) {
    BinaryModel resumed = test::resumed(whole, states[cut]);
    for (std::size_t round = cut; round < kRounds; ++round) learn(resumed, round);
    EXPECT_EQ(save_state(resumed), save_state(whole)) << cut;
  }
}

}  // namespace
}  // namespace plumbline
