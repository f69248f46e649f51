#include "plumbline/calibrators/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plumbline/error.h"
#include "plumbline/model/binary_model.h"
#include "tests/calibrators/support.h"
#include "tests/support.h"

namespace plumbline::mixture_test {
namespace {

using Members = Mixture::Members;

struct Scored {
  std::vector<double> scores;
  std::vector<Label> labels;
};

// The scores of a small ensemble that learns the stream as it goes.
Scored scored_stream(const Spec& generator, std::size_t count) {
  ModelConfig config = preset("auto").model;
  config.ensemble.size = 3;
  config.calibrator = "none";
  const Minibatch data = test::generate(generator, count);
  BinaryModel model(config, Schema::numeric(data.features().columns));
  Scored result{std::vector<double>(count), {data.examples().y.begin(), data.examples().y.end()}};
  std::vector<double> probabilities(10);
  for (std::size_t from = 0; from < count; from += 10) {
    model.step(test::slice(data, from, from + 10), std::span(result.scores).subspan(from, 10),
               probabilities);
  }
  return result;
}

// The total log-loss of a calibrator that learns from each example after predicting it.
double total_loss(Calibrator& calibrator, const Scored& stream) {
  double sum = 0;
  for (std::size_t i = 0; i < stream.scores.size(); ++i) {
    sum += log_loss(test::apply(calibrator, stream.scores[i]), stream.labels[i]);
    test::calibrate(calibrator, {stream.scores[i]}, {stream.labels[i]});
  }
  return sum;
}

TEST(Mixture, LosesAtMostTheLogarithmOfItsSizeToTheBestMember) {
  for (const char* generator : {"sea:noise=0.1", "hyperplane", "waveform"}) {
    const Scored stream = scored_stream(generator, 2000);
    for (const Members members : {Members::all, Members::smooth, Members::platt}) {
      std::vector<Mixture::Member> alone = Mixture::make(members, 1);
      double best = HUGE_VAL;
      for (auto& member : alone) best = std::min(best, total_loss(*member.calibrator, stream));
      const double allowed = std::log(static_cast<double>(alone.size()));
      for (const double rate : {1.0, 0.1}) {
        Mixture mixture({.members = members, .rate = rate, .share = 0}, 1);
        EXPECT_LE(total_loss(mixture, stream), best + allowed / rate) << generator << rate;
      }
    }
  }
}

// Bayes' rule, with what the members said before they learned from the minibatch.
TEST(Mixture, WeighsMembersByWhatTheySaidBeforeTheCalibration) {
  const Scored stream = scored_stream("sea", 300);
  Mixture mixture({.members = Members::all, .rate = 1, .share = 0}, 1);
  std::vector<Mixture::Member> alone = Mixture::make(Members::all, 1);
  std::vector<double> expected(alone.size(), 0);
  for (std::size_t from = 0; from < 300; from += 30) {
    const std::span<const double> scores = std::span(stream.scores).subspan(from, 30);
    const std::span<const Label> labels = std::span(stream.labels).subspan(from, 30);
    for (std::size_t k = 0; k < alone.size(); ++k) {
      std::vector<double> given(30);
      alone[k].calibrator->apply(scores, given);
      for (std::size_t i = 0; i < 30; ++i) expected[k] -= log_loss(given[i], labels[i]);
      alone[k].calibrator->calibrate(scores, labels);
    }
    mixture.calibrate(scores, labels);
  }
  double sum = 0;
  for (const double log_weight : expected) sum += std::exp(log_weight - expected[0]);
  const std::vector<double> weights = mixture.weights();
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const double wanted = std::exp(expected[k] - expected[0]) / sum;
    EXPECT_NEAR(weights[k], wanted, 1e-10 * wanted) << alone[k].name;  // rounding of the sums
  }
}

TEST(Mixture, MixesTheProbabilitiesOfItsMembers) {
  const Scored stream = scored_stream("sea", 300);
  Mixture mixture({.share = 0.01}, 1);
  std::vector<Mixture::Member> alone = Mixture::make(Members::all, 1);
  test::calibrate(mixture, stream.scores, stream.labels);
  const std::vector<double> weights = mixture.weights();
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-15);
  double wanted = 0;
  for (std::size_t k = 0; k < alone.size(); ++k) {
    test::calibrate(*alone[k].calibrator, stream.scores, stream.labels);
    wanted += weights[k] * test::apply(*alone[k].calibrator, 0.3);
  }
  EXPECT_NEAR(test::apply(mixture, 0.3), wanted, 1e-15);
}

TEST(Mixture, SharingBringsBackWhoWasLeftBehind) {
  // The raw score is useless at first, and right afterwards, when slow members still unlearn.
  const auto before = [](double z) { return sigmoid(-2 * z); };
  const auto after = [](double z) { return sigmoid(z); };
  Mixture sharing({.members = Members::platt, .rate = 1, .share = 0.001}, 1);
  Mixture stubborn({.members = Members::platt, .rate = 1, .share = 0}, 1);
  for (Mixture* mixture : {&sharing, &stubborn}) {
    test::feed(*mixture, before, 0, 20000);
    test::feed(*mixture, after, 20000, 20050);
  }
  EXPECT_GT(sharing.weights()[0], 0.5);
  EXPECT_LT(stubborn.weights()[0], 1e-9);
  EXPECT_LT(test::excess_loss(sharing, after), 0.1 * test::excess_loss(stubborn, after));
}

TEST(Mixture, NoMemberHasLessThanItsShare) {
  Mixture mixture({.members = Members::platt, .rate = 1, .share = 0.1}, 1);
  test::feed(
      mixture, [](double z) { return sigmoid(-2 * z); }, 0, 500);
  for (const double weight : mixture.weights()) EXPECT_GE(weight, 0.1 / 4 - 1e-15);
}

TEST(Mixture, RefusesWeightsWithoutALargest) {
  Mixture mixture({}, 1);
  Tensors tensors = save_state(mixture);
  for (std::size_t k = 0; k < Mixture::make(Members::all, 1).size(); ++k) {
    test::overwrite(test::tensor(tensors, "log_weights"), k, -1);
  }
  EXPECT_THROW(load_state(mixture, tensors), Error);
}

}  // namespace
}  // namespace plumbline::mixture_test
