#include "plumbline/ensemble/online_boost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/learner.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/rng.h"
#include "tests/ensemble/serial_boost.h"
#include "tests/support.h"

// The equivalences of appendix A are in appendix_a_test.cpp.

namespace plumbline::online_boost_test {
namespace {

OnlineBoost make(const OnlineBoost::Params& params, const Spec& learner, std::size_t features,
                 std::uint64_t seed = 1) {
  return test::serial_boost(
      params, [=] { return learners().make(learner, features); }, seed);
}

using R = OnlineBoost::Resample;

// After the same stream.
Tensors state_of(const char* learner, R resample, std::uint64_t seed = 1) {
  OnlineBoost ensemble = make({.resample = resample}, learner, 21, seed);
  ensemble.train(test::waveform(200).examples());
  return save_state(ensemble);
}

double error_rate(const OnlineBoost& ensemble, const Minibatch& data) {
  std::vector<double> scores(data.rows());
  ensemble.scores(data.features(), scores);
  double wrong = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    wrong += (scores[i] > 0.5) != (data.examples().y[i] == 1) ? 1 : 0;
  }
  return wrong / static_cast<double>(data.rows());
}

TEST(OnlineBoost, LearnsAStreamWithEveryLearner) {
  const Minibatch train = test::waveform(2000, 1), test = test::waveform(1000, 2);
  for (const auto& row : learners().rows()) {
    OnlineBoost ensemble = make({}, Spec(row.name), 21);
    ensemble.train(train.examples());
    // The Bayes error of classes 0 and 1 is about 10 %.
    EXPECT_LT(error_rate(ensemble, test), 0.2) << row.name;
  }
}

// Written out for one minibatch: the votes are those of the learners before it.
TEST(OnlineBoost, CanTakeItsVotesBeforeTheMinibatch) {
  OnlineBoost::Params params{.size = 2,
                             .resample = R::no,
                             .correctness = Correctness::before_batch,
                             .score = ScoreKind::logistic};
  const Minibatch first = test::waveform(400, 1), second = test::waveform(20, 2);
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    OnlineBoost ensemble = make(params, learner, 21);
    ensemble.train(first.examples());
    const auto before = ensemble.view();
    Margins margins;
    std::vector<double> scores(20), others(20), confidence(20);
    ensemble.scores(second.features(), scores, others, confidence, margins);
    ASSERT_EQ(margins.size(), 40u);

    std::vector<double> lambda(20, 1);
    for (std::size_t t = 0; t < 2; ++t) {
      double right = before[t].correct_weight, wrong = before[t].wrong_weight;
      for (std::size_t i = 0; i < 20; ++i) {
        const bool correct = predicted_class(margins[20 * t + i]) == second.examples().y[i];
        (correct ? right : wrong) += lambda[i];
        const double eps = wrong / (wrong + right);
        lambda[i] /= 2 * (correct ? 1 - eps : eps);
      }
      OnlineBoost copy = make(params, learner, 21);
      load_state(copy, save_state(ensemble));
      copy.train(second.examples());
      EXPECT_DOUBLE_EQ(copy.view()[t].correct_weight, right) << learner;
      EXPECT_DOUBLE_EQ(copy.view()[t].wrong_weight, wrong) << learner;
    }
  }
}

TEST(OnlineBoost, TakesItsVotesOneByOneWhileItKnowsLittle) {
  const auto after = [](Correctness correctness, std::size_t rows) {
    OnlineBoost ensemble = make({.size = 3, .correctness = correctness}, "gaussian_nb", 21);
    const Minibatch data = test::waveform(rows);
    for (std::size_t from = 0; from < rows; from += 10) {
      ensemble.train(test::slice(data, from, from + 10));
    }
    return save_state(ensemble);
  };
  EXPECT_EQ(after(Correctness::before_batch, 200), after(Correctness::before_update, 200));
  EXPECT_NE(after(Correctness::before_batch, 400), after(Correctness::before_update, 400));
}

// A learner that says what the last label was, and at first that it is negative.
class Last : public Learner {
 public:
  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double>, const LearnMode& mode,
                  std::span<Label> votes) override {
    learn_one_by_one(
        examples.size(), mode.correctness, votes, [&](std::size_t) { return last_ - 0.5; },
        [&](std::size_t i) { last_ = examples.y[i]; });
  }
  void learn_batch(const Examples&, std::span<const double>, Weighting) override {}
  void margins(const Batch&, std::span<double> margins) const override {
    std::ranges::fill(margins, last_ - 0.5);
  }
  void grow(std::size_t) override {}
  void archive(Archive&) override {}

 private:
  double last_ = 0;
};

// Two positives after negatives alone: before them, the learner is wrong of both; after the first, it is
// right of the second. A minibatch of 2 is more than 1/20 of 39 examples, but not of 40.
TEST(OnlineBoost, AMinibatchIsEarlyWhileItIsMoreThanATwentiethOfWhatWasSeen) {
  const auto mistakes = [](Correctness correctness, std::size_t seen, std::size_t rows) {
    OnlineBoost ensemble = test::serial_boost(
        {.size = 1, .correctness = correctness}, [] { return std::make_unique<Last>(); }, 1);
    Minibatch negatives(1), positives(1);
    for (std::size_t i = 0; i < seen; ++i) negatives.add(0)[0] = 0;
    for (std::size_t i = 0; i < rows; ++i) positives.add(1)[0] = 0;
    ensemble.train(negatives.examples());
    EXPECT_EQ(ensemble.view()[0].wrong_weight, 0);
    ensemble.train(positives.examples());
    return ensemble.view()[0].wrong_weight;
  };
  EXPECT_EQ(mistakes(Correctness::before_batch, 39, 2), 1);
  EXPECT_EQ(mistakes(Correctness::before_batch, 40, 2), 2);
  EXPECT_EQ(mistakes(Correctness::before_batch, 199, 10), 1);
  EXPECT_EQ(mistakes(Correctness::before_batch, 200, 10), 10);
  // The others know no border.
  EXPECT_EQ(mistakes(Correctness::before_update, 40, 2), 1);
  EXPECT_EQ(mistakes(Correctness::after_update, 40, 2), 0);
}

TEST(OnlineBoost, BeforeAnyLearningEveryScoreIsAHalf) {
  const OnlineBoost ensemble = make({}, "gaussian_nb", 21);
  std::vector<double> scores(5);
  ensemble.scores(test::waveform(5).features(), scores);
  EXPECT_EQ(scores, std::vector<double>(5, 0.5));
  EXPECT_EQ(ensemble.view()[0].error, 0.5);
  EXPECT_EQ(ensemble.view()[0].vote, 0);
}

TEST(OnlineBoost, DoesNotDependOnHowTheStreamIsCutIntoMinibatches) {
  const Minibatch data = test::waveform(300);
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    OnlineBoost whole = make({}, learner, 21), pieces = make({}, learner, 21);
    whole.train(data.examples());
    for (std::size_t from = 0; from < 300;) {
      const std::size_t to = std::min<std::size_t>(300, from + 1 + from % 17);
      pieces.train(test::slice(data, from, to));
      from = to;
    }
    EXPECT_EQ(save_state(whole), save_state(pieces)) << learner;
  }
}

TEST(OnlineBoost, SeedsMatterToResamplingAlone) {
  EXPECT_NE(state_of("gaussian_nb", R::yes, 1), state_of("gaussian_nb", R::yes, 2));
  EXPECT_EQ(state_of("gaussian_nb", R::no, 1), state_of("gaussian_nb", R::no, 2));
  EXPECT_NE(state_of("logistic", R::yes, 1), state_of("logistic", R::yes, 2));
}

TEST(OnlineBoost, AutoResamplesLosslessLearnersOnly) {
  EXPECT_EQ(state_of("gaussian_nb", R::automatic), state_of("gaussian_nb", R::yes));
  EXPECT_NE(state_of("gaussian_nb", R::automatic), state_of("gaussian_nb", R::no));
  EXPECT_EQ(state_of("logistic", R::automatic), state_of("logistic", R::no));
}

TEST(OnlineBoost, WeightsMayBeDrawnInsteadOfRepetitions) {
  // To a lossless learner k updates are one of weight k; to another they are not.
  EXPECT_EQ(state_of("gaussian_nb", R::weight), state_of("gaussian_nb", R::yes));
  EXPECT_NE(state_of("logistic", R::weight), state_of("logistic", R::yes));
  EXPECT_NE(state_of("logistic", R::weight), state_of("logistic", R::no));
}

// The algorithm written out: who draws 0 is neither taught nor tested, and the weight stays.
TEST(OnlineBoost, ALearnerThatDrewNothingMayBePassedBy) {
  const Minibatch data = test::waveform(60);
  OnlineBoost ensemble = make({.size = 3, .test_unseen = false}, "gaussian_nb", 21);
  ensemble.train(data.examples());
  std::vector<std::unique_ptr<Learner>> chain;
  for (int t = 0; t < 3; ++t) chain.push_back(learners().make("gaussian_nb", 21));
  std::vector<double> right(3), wrong(3);
  std::size_t passed = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    double lambda = 1;
    for (std::uint32_t t = 0; t < 3; ++t) {
      const auto k = static_cast<double>(Rng(1, kLearnerStream + t, i).poisson(lambda));
      if (k == 0) {
        ++passed;
        continue;
      }
      Label vote = 0;
      chain[t]->learn_each(test::slice(data, i, i + 1), {&k, 1}, {}, {&vote, 1});
      const bool correct = vote == data.examples().y[i];
      (correct ? right : wrong)[t] += lambda;
      const double error = std::max(wrong[t] / (right[t] + wrong[t]), 1e-10);
      lambda /= 2 * (correct ? 1 - error : error);
    }
  }
  EXPECT_GT(passed, 10u);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(ensemble.view()[t].correct_weight, right[t]);
    EXPECT_EQ(ensemble.view()[t].wrong_weight, wrong[t]);
  }
}

TEST(OnlineBoost, APriorWeightIsThereOfRightAndWrongAnswersFromTheStart) {
  OnlineBoost ensemble =
      make({.size = 1, .resample = OnlineBoost::Resample::no, .prior_weight = 2}, "gaussian_nb", 1);
  EXPECT_EQ(ensemble.view().front().error, 0.5);
  ensemble.train(test::rows({{{0}, 0}, {{1}, 1}, {{0}, 0}, {{1}, 1}}).examples());
  const OnlineBoost::LearnerView view = ensemble.view().front();
  EXPECT_EQ(view.correct_weight, 4);
  EXPECT_EQ(view.error, (0 + 2.0) / (4 + 2 * 2));
}

TEST(OnlineBoost, AnEndlesslyRightLearnerGetsAFiniteVote) {
  OnlineBoost ensemble = make({.error_floor = 1e-10}, "gaussian_nb", 1);
  for (int i = 0; i < 500; ++i) ensemble.train(test::rows({{{0}, 0}, {{1}, 1}}).examples());
  const OnlineBoost::LearnerView first = ensemble.view().front();
  EXPECT_EQ(first.error, 1e-10);
  EXPECT_NEAR(first.vote, std::log(1e10), 1e-6);
}

TEST(OnlineBoost, WeightsStayWithinTheirBoundsAlongALongChain) {
  // Labels are noise: learners keep erring, which multiplies weights along 300 learners.
  OnlineBoost ensemble = make({.size = 300,
                               .resample = OnlineBoost::Resample::no,
                               .correctness = Correctness::before_update,
                               .weight_cap = 100},
                              "perceptron", 1);
  Rng rng(1, 0, 0);
  Minibatch data(1);
  for (int i = 0; i < 400; ++i) data.add(static_cast<Label>(rng.below(2)))[0] = rng.normal();
  ensemble.train(data.examples());
  for (const OnlineBoost::LearnerView& learner : ensemble.view()) {
    EXPECT_GE(learner.correct_weight, 0);
    EXPECT_LE(learner.correct_weight + learner.wrong_weight, 400 * 100.0);
    EXPECT_TRUE(std::isfinite(learner.vote));
  }
}

// An error counted before the update is that of unseen examples: on labels that are pure noise it
// must come out near 1/2, while the error after the update is flattered by what was just learned.
TEST(OnlineBoost, CorrectnessBeforeTheUpdateIsHonest) {
  Rng rng(4, 0, 0);
  Minibatch noise(30);
  for (int i = 0; i < 400; ++i) {
    for (double& x : noise.add(static_cast<Label>(rng.below(2)))) x = rng.normal();
  }
  const auto first_error = [&](Correctness correctness) {
    OnlineBoost ensemble = make({.size = 1, .correctness = correctness}, "gaussian_nb", 30);
    ensemble.train(noise.examples());
    return ensemble.view().front().error;
  };
  // Four standard errors of a share of 400.
  EXPECT_NEAR(first_error(Correctness::before_update), 0.5, 4 * std::sqrt(0.25 / 400));
  EXPECT_LT(first_error(Correctness::after_update), 0.42);
}

TEST(OnlineBoost, UpdatesByMinibatchLearnToo) {
  const Minibatch train = test::waveform(2000, 1), test = test::waveform(1000, 2);
  for (const Correctness correctness : {Correctness::after_update, Correctness::before_update}) {
    OnlineBoost ensemble =
        make({.correctness = correctness, .update_by = OnlineBoost::UpdateBy::minibatch},
             "gaussian_nb", 21);
    for (std::size_t i = 0; i < 2000; i += 50) ensemble.train(test::slice(train, i, i + 50));
    EXPECT_LT(error_rate(ensemble, test), 0.2);
  }
}

// Resampling repeats a learner that is not lossless, by the minibatch as by the example: the number of
// its steps is the sum of the Poisson draws, not the number of rows.
TEST(OnlineBoost, ResamplingRepeatsLossyLearnersAlsoByTheMinibatch) {
  const Minibatch data = test::waveform(50);
  const auto steps = [&](OnlineBoost::UpdateBy update_by) {
    OnlineBoost ensemble =
        make({.size = 1, .resample = OnlineBoost::Resample::yes, .update_by = update_by},
             "logistic", 21);
    ensemble.train(data.examples());
    for (const Tensor& tensor : save_state(ensemble)) {
      double value = 0;
      if (tensor.name != "learner1.step") continue;
      std::memcpy(&value, tensor.bytes.data(), sizeof value);
      return value;
    }
    return 0.0;
  };
  double draws = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    draws += static_cast<double>(Rng(1, kLearnerStream, i).poisson(1));
  }
  EXPECT_EQ(steps(OnlineBoost::UpdateBy::example), 1 + draws);
  EXPECT_EQ(steps(OnlineBoost::UpdateBy::minibatch), 1 + draws);
}

// A learner that learns nothing and says what the first feature says: it is right where x and y have
// the same sign, so that a test decides which examples are mistakes.
class Sign : public Learner {
 public:
  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double>, const LearnMode&,
                  std::span<Label> votes) override {
    for (std::size_t i = 0; i < examples.size(); ++i)
      votes[i] = predicted_class(examples.x.row(i)[0]);
  }
  void learn_batch(const Examples&, std::span<const double>, Weighting) override {}
  void margins(const Batch& batch, std::span<double> margins) const override {
    for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = batch.row(i)[0];
  }
  void grow(std::size_t) override {}
  void archive(Archive&) override {}
};

OnlineBoost made_of_signs(const OnlineBoost::Params& params, std::size_t right, std::size_t wrong) {
  OnlineBoost ensemble = test::serial_boost(
      params, [] { return std::make_unique<Sign>(); }, 1);
  Minibatch data(1);
  for (std::size_t i = 0; i < right; ++i) data.add(1)[0] = 1;
  for (std::size_t i = 0; i < wrong; ++i) data.add(0)[0] = 1;
  ensemble.train(data.examples());
  return ensemble;
}

TEST(OnlineBoost, TheErrorFloorHoldsAtBothEnds) {
  EXPECT_EQ(made_of_signs({.size = 1, .error_floor = 0.125}, 9, 0).view()[0].error, 0.125);
  EXPECT_EQ(made_of_signs({.size = 1, .error_floor = 0.125}, 0, 9).view()[0].error, 0.875);
  EXPECT_EQ(made_of_signs({.size = 1, .error_floor = 0.125}, 3, 1).view()[0].error, 0.25);
}

// After 99 right examples the mistake makes the error 1/100 and passes on 1/(2/100) = 50.
TEST(OnlineBoost, AMistakePassesOnNoMoreThanTheWeightCap) {
  const auto passed_on = [](double cap) {
    return made_of_signs({.size = 2, .weight_cap = cap}, 99, 1).view()[1].wrong_weight;
  };
  EXPECT_DOUBLE_EQ(passed_on(1e6), 50);
  EXPECT_EQ(passed_on(30), 30);
}

// Learners that never err halve the weight, up to the error floor; 2000 of them would take it to
// the smallest number that there is.
TEST(OnlineBoost, AWeightStopsFallingAt1e100) {
  const auto view = made_of_signs({.size = 2000}, 5, 0).view();
  EXPECT_NEAR(view[1].correct_weight, 2.5, 1e-8);
  EXPECT_DOUBLE_EQ(view.back().correct_weight, 5e-100);
}

TEST(OnlineBoost, ScoresByTheOptionsThatItWasGiven) {
  const Minibatch rows = test::rows({{{1}, 0}, {{-1}, 0}});
  const auto scores = [&](const OnlineBoost::Params& params, std::size_t right, std::size_t wrong) {
    std::vector<double> result(2);
    made_of_signs(params, right, wrong).scores(rows.features(), result);
    return result;
  };
  using S = ScoreKind;
  using N = NegativeVotes;
  // One learner with the error 1/4 and so the vote ln 3; with 3/4 and -ln 3.
  EXPECT_EQ(scores({.size = 1, .score = S::vote_fraction}, 3, 1), (std::vector<double>{1, 0}));
  const auto logistic = scores({.size = 1, .score = S::logistic}, 3, 1);
  EXPECT_DOUBLE_EQ(logistic[0], 0.75);
  EXPECT_DOUBLE_EQ(logistic[1], 0.25);
  EXPECT_EQ(scores({.size = 1, .negative_votes = N::drop}, 1, 3), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(scores({.size = 1, .negative_votes = N::flip}, 1, 3), (std::vector<double>{0, 1}));
  EXPECT_EQ(scores({.size = 1, .negative_votes = N::keep}, 1, 3), (std::vector<double>{1, 0}));
}

// Before its first minibatch a learner calls everything negative, so its mistakes are the positives;
// after it, they are those of the fitted learner.
TEST(OnlineBoost, UpdatesByMinibatchCountErrorsBeforeOrAfterTheStep) {
  const Minibatch data = test::waveform(200);
  const Examples all = data.examples();
  const auto wrong = [&](Correctness correctness) {
    OnlineBoost ensemble = make({.size = 1,
                                 .resample = OnlineBoost::Resample::no,
                                 .correctness = correctness,
                                 .update_by = OnlineBoost::UpdateBy::minibatch},
                                "gaussian_nb", 21);
    ensemble.train(all);
    return ensemble.view()[0].wrong_weight;
  };
  const auto fitted = learners().make("gaussian_nb", 21);
  const std::vector<double> ones(200, 1.0);
  std::vector<double> margins(200);
  fitted->learn_batch(all, ones, Weighting::importance);
  fitted->margins(all.x, margins);
  double mistakes = 0, positives = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    positives += all.y[i];
    mistakes += predicted_class(margins[i]) != all.y[i] ? 1 : 0;
  }
  EXPECT_EQ(wrong(Correctness::before_update), positives);
  EXPECT_EQ(wrong(Correctness::after_update), mistakes);
  EXPECT_LT(mistakes, positives);
}

TEST(OnlineBoost, RefusesAStateWithNegativeWeights) {
  OnlineBoost ensemble = make({.size = 2}, "gaussian_nb", 1);
  const Tensors good = save_state(ensemble);
  for (const std::size_t piece : {1u, 2u}) {
    Tensors bad = good;
    const double negative = -1;
    std::memcpy(bad[piece].bytes.data() + 8, &negative, sizeof negative);
    test::expect_error(ErrorKind::model_file, {"_weight", "holds -1"},
                       [&] { load_state(ensemble, bad); });
  }
  EXPECT_EQ(good[1].name, "correct_weight");
  EXPECT_EQ(good[2].name, "wrong_weight");
}

}  // namespace
}  // namespace plumbline::online_boost_test
