// Appendix A of the paper: the forms of OnlineBoost that it proves equal, written out as printed
// and run on the same draws beside the library's own.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/learner.h"
#include "plumbline/math/rng.h"
#include "tests/ensemble/adaboost.h"
#include "tests/ensemble/serial_boost.h"
#include "tests/support.h"

namespace plumbline::appendix_a_test {
namespace {

constexpr std::uint64_t kSeed = 5;
constexpr double kFloor = 1e-10;  // as OnlineBoost keeps errors off 0 and 1
constexpr std::size_t kSize = 8;

// Everything that the algorithms compute: what they are compared by.
struct Trace {
  std::vector<std::vector<double>> lambda;  // [t][i], after learner t
  std::vector<double> errors;               // eps_t at the end
  std::vector<double> votes;                // beta_t at the end, as ln((1 - eps)/eps)
};

double clamp_error(double wrong, double correct) {
  const double total = wrong + correct;
  return total == 0 ? 0.5 : std::clamp(wrong / total, kFloor, 1 - kFloor);
}

// OnlineLearnAlg applied k times, or once with a weight; then h_t(x_i).
class OneByOne {
 public:
  OneByOne(const Spec& spec, const Minibatch& data) : data_(data) {
    for (std::size_t t = 0; t < kSize; ++t) {
      learners_.push_back(learners().make(spec, data.features().columns));
    }
  }
  bool correct_after_learning(std::size_t t, std::size_t i, double weight, bool repeat) {
    const Examples example = test::slice(data_, i, i + 1);
    Label vote = 0;
    const double one = 1;
    if (repeat) {
      for (double k = 0; k < weight; ++k) {
        learners_[t]->learn_each(example, {&one, 1}, {}, {&vote, 1});
      }
    } else {
      learners_[t]->learn_each(example, {&weight, 1}, {}, {&vote, 1});
    }
    double margin = 0;
    learners_[t]->margins(example.x, {&margin, 1});
    return (margin > 0) == (example.y[0] == 1);
  }

 private:
  const Minibatch& data_;
  std::vector<std::unique_ptr<Learner>> learners_;
};

double draw(std::size_t t, std::size_t i, double lambda) {
  return static_cast<double>(
      Rng(kSeed, kLearnerStream + static_cast<std::uint32_t>(t), i).poisson(lambda));
}

Trace empty_trace(std::size_t n) {
  return {std::vector(kSize, std::vector<double>(n)), std::vector<double>(kSize),
          std::vector<double>(kSize)};
}

// Algorithm 1 (original): one lambda, overwritten on its way; k updates of weight 1.
Trace algorithm_1(const Spec& spec, const Minibatch& data) {
  OneByOne learners(spec, data);
  Trace trace = empty_trace(data.rows());
  std::vector<double> sc(kSize), sw(kSize);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double lambda = 1;
    for (std::size_t t = 0; t < kSize; ++t) {
      if (learners.correct_after_learning(t, i, draw(t, i, lambda), true)) {
        sc[t] += lambda;
        trace.errors[t] = clamp_error(sw[t], sc[t]);
        lambda *= 1 / (2 * (1 - trace.errors[t]));
      } else {
        sw[t] += lambda;
        trace.errors[t] = clamp_error(sw[t], sc[t]);
        lambda *= 1 / (2 * trace.errors[t]);
      }
      trace.lambda[t][i] = lambda;
    }
  }
  for (std::size_t t = 0; t < kSize; ++t) {
    trace.votes[t] = std::log((1 - trace.errors[t]) / trace.errors[t]);
  }
  return trace;
}

// Algorithm 2 (storing all weights): lambda_t(i) for every t and i.
Trace algorithm_2(const Spec& spec, const Minibatch& data) {
  OneByOne learners(spec, data);
  Trace trace = empty_trace(data.rows());
  std::vector<double> sc(kSize), sw(kSize);
  const std::vector<double> ones(data.rows(), 1.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t t = 0; t < kSize; ++t) {
      const double before = (t == 0 ? ones : trace.lambda[t - 1])[i];
      const bool correct = learners.correct_after_learning(t, i, draw(t, i, before), true);
      (correct ? sc : sw)[t] += before;
      trace.errors[t] = clamp_error(sw[t], sc[t]);
      trace.lambda[t][i] =
          before * (correct ? 1 / (2 * (1 - trace.errors[t])) : 1 / (2 * trace.errors[t]));
    }
  }
  for (std::size_t t = 0; t < kSize; ++t) {
    trace.votes[t] = std::log((1 - trace.errors[t]) / trace.errors[t]);
  }
  return trace;
}

// Algorithm 3 (reformulated, resampling) and 4 (the same, reweighting): errors as sums over the
// past, beta = 1/2 ln((1-eps)/eps), lambda_t = lambda_{t-1} e^{-y beta h}/Z, Z = 2(1-eps)/e^beta.
Trace algorithm_3_or_4(const Spec& spec, const Minibatch& data, bool resample) {
  OneByOne learners(spec, data);
  Trace trace = empty_trace(data.rows());
  std::vector<std::vector<bool>> correct(kSize);
  std::vector<double> beta(kSize);
  const std::vector<double> ones(data.rows(), 1.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t t = 0; t < kSize; ++t) {
      const std::vector<double>& before = t == 0 ? ones : trace.lambda[t - 1];
      const double weight = resample ? draw(t, i, before[i]) : before[i];
      correct[t].push_back(learners.correct_after_learning(t, i, weight, resample));
      double wrong = 0, right = 0;
      for (std::size_t j = 0; j <= i; ++j) (correct[t][j] ? right : wrong) += before[j];
      const double eps = clamp_error(wrong, right);
      beta[t] = 0.5 * std::log((1 - eps) / eps);
      const double z = 2 * (1 - eps) / std::exp(beta[t]);
      const double yh = correct[t][i] ? 1 : -1;
      trace.lambda[t][i] = before[i] * std::exp(-yh * beta[t]) / z;
      trace.errors[t] = eps;
    }
  }
  for (std::size_t t = 0; t < kSize; ++t) trace.votes[t] = 2 * beta[t];
  return trace;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  // The same real numbers by other formulas, over a few hundred roundings.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(a[i])));
}

void expect_same(const Trace& a, const Trace& b) {
  expect_near(a.errors, b.errors);
  expect_near(a.votes, b.votes);
  for (std::size_t t = 0; t < kSize; ++t) expect_near(a.lambda[t], b.lambda[t]);
}

// The library's own, with the weights read off its sums example by example.
Trace online_boost(const Spec& spec, const Minibatch& data, OnlineBoost::Resample resample) {
  OnlineBoost ensemble = test::serial_boost(
      {.size = kSize, .resample = resample, .error_floor = kFloor, .weight_cap = 1e12},
      [&] { return learners().make(spec, data.features().columns); }, kSeed);
  Trace trace = empty_trace(data.rows());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto before = ensemble.view();
    ensemble.train(test::slice(data, i, i + 1));
    const auto after = ensemble.view();
    // What learner t + 1 added to its sums is the weight that learner t passed on.
    for (std::size_t t = 0; t + 1 < kSize; ++t) {
      trace.lambda[t][i] = after[t + 1].correct_weight - before[t + 1].correct_weight +
                           after[t + 1].wrong_weight - before[t + 1].wrong_weight;
    }
  }
  const auto view = ensemble.view();
  for (std::size_t t = 0; t < kSize; ++t) {
    trace.errors[t] = view[t].error;
    trace.votes[t] = view[t].vote;
  }
  return trace;
}

void expect_library_equals(const Trace& library, Trace written) {
  written.lambda.back().assign(written.lambda.back().size(), 0);  // the library does not show it
  expect_same(library, written);
}

TEST(AppendixA, Algorithms1And2And3AgreeOnTheSameDraws) {
  const Minibatch data = test::waveform(300);
  const Trace first = algorithm_1("gaussian_nb", data);
  expect_same(first, algorithm_2("gaussian_nb", data));
  expect_same(first, algorithm_3_or_4("gaussian_nb", data, true));
}

TEST(AppendixA, OnlineBoostIsAlgorithm1) {
  const Minibatch data = test::waveform(300);
  for (const char* spec : {"gaussian_nb", "logistic", "perceptron"}) {
    expect_library_equals(online_boost(spec, data, OnlineBoost::Resample::yes),
                          algorithm_1(spec, data));
  }
}

TEST(AppendixA, OnlineBoostByReweightingIsAlgorithm4) {
  const Minibatch data = test::waveform(300);
  for (const char* spec : {"gaussian_nb", "logistic", "linear_svm"}) {
    expect_library_equals(online_boost(spec, data, OnlineBoost::Resample::no),
                          algorithm_3_or_4(spec, data, false));
  }
}

// Z_t = 2(1 - eps)/e^beta is what makes half of the weight fall on the mistakes: 2
// sqrt(eps(1-eps)).
TEST(AppendixA, ZNormalisesTheWeights) {
  for (const double eps : {0.01, 0.2, 0.5, 0.7}) {
    const double beta = 0.5 * std::log((1 - eps) / eps);
    const double z = 2 * (1 - eps) / std::exp(beta);
    EXPECT_NEAR(z, 2 * std::sqrt(eps * (1 - eps)), 1e-15);
    EXPECT_NEAR((1 - eps) * std::exp(-beta) / z, 0.5, 1e-15);
    EXPECT_NEAR(eps * std::exp(beta) / z, 0.5, 1e-15);
  }
}

// Algorithm 5, written out as printed, with Z_t the sum of the new weights.
TEST(AdaBoost, IsAlgorithm5) {
  const Minibatch data = test::waveform(300);
  const auto make = [] { return learners().make("gaussian_nb", 21); };
  const Examples all = data.examples();
  std::vector<double> lambda(300, 1.0 / 300), margins(300), f(300), errors, scores(300);
  double votes = 0;
  for (std::size_t t = 0; t < kSize; ++t) {
    const auto learner = make();
    learner->learn_batch(all, lambda, Weighting::importance);
    learner->margins(all.x, margins);
    const auto yh = [&](std::size_t i) { return (margins[i] > 0) == (all.y[i] == 1) ? 1 : -1; };
    double wrong = 0, right = 0, z = 0;
    for (std::size_t i = 0; i < 300; ++i) (yh(i) > 0 ? right : wrong) += lambda[i];
    errors.push_back(wrong / (wrong + right));
    const double beta = 0.5 * std::log((1 - errors[t]) / errors[t]);
    for (std::size_t i = 0; i < 300; ++i) z += lambda[i] *= std::exp(-beta * yh(i));
    for (std::size_t i = 0; i < 300; ++i) lambda[i] /= z;
    for (std::size_t i = 0; i < 300; ++i) f[i] += margins[i] > 0 ? beta : -beta;
    votes += beta;
  }
  const AdaBoost library(kSize, make, all);
  expect_near(library.errors(), errors);
  library.scores(all.x, ScoreKind::vote_fraction, scores);
  for (std::size_t i = 0; i < 300; ++i) f[i] = 0.5 * (1 + f[i] / votes);
  expect_near(scores, f);
}

TEST(AdaBoost, ScoresByTheKindThatItIsAskedFor) {
  const Minibatch data = test::waveform(300);
  const AdaBoost one(
      1, [] { return learners().make("gaussian_nb", 21); }, data.examples());
  std::vector<double> scores(300);
  one.scores(data.features(), ScoreKind::logistic, scores);
  // A single learner: 1/(1 + e^{-+ln((1 - eps)/eps)}) is 1 - eps or eps.
  const double eps = one.errors()[0];
  for (const double score : scores) {
    EXPECT_NEAR(score, score > 0.5 ? 1 - eps : eps, 1e-15);  // a few roundings
  }
}

TEST(AdaBoost, StaysFiniteWhenALearnerNeverErrsAndWithoutExamples) {
  const auto make = [] { return learners().make("gaussian_nb", 1); };
  const Minibatch data = test::rows({{{0}, 0}, {{0.1}, 0}, {{1}, 1}, {{1.1}, 1}});
  const AdaBoost perfect(3, make, data.examples(), 0.125);
  EXPECT_EQ(perfect.errors(), std::vector<double>(3, 0.125));
  std::vector<double> scores(4);
  perfect.scores(data.features(), ScoreKind::vote_fraction, scores);
  EXPECT_EQ(scores, (std::vector<double>{0, 0, 1, 1}));
  const AdaBoost untaught(3, make, Minibatch(1).examples());
  EXPECT_EQ(untaught.errors(), std::vector<double>(3, 0.5));
}

// Oza (2005): with a lossless learner the votes of OnlineBoost converge to AdaBoost's.
TEST(AppendixA, OnlineBoostApproachesBatchAdaBoostAsTheStreamGrows) {
  constexpr std::size_t kLearners = 5;
  constexpr std::uint64_t kRuns = 5;
  const auto vote_error = [](std::size_t n) {
    double sum = 0;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
      const Minibatch data = test::waveform(n, 100 + run);
      const auto make = [] { return learners().make("gaussian_nb", 21); };
      const AdaBoost batch(kLearners, make, data.examples());
      OnlineBoost online = test::serial_boost({.size = kLearners}, make, run);
      online.train(data.examples());
      for (std::size_t t = 0; t < kLearners; ++t) {
        sum += std::abs(online.view()[t].vote - vote_weight(batch.errors()[t]));
      }
    }
    return sum / kLearners / kRuns;
  };
  const double few = vote_error(300), some = vote_error(3000), many = vote_error(30000);
  std::printf("mean |beta_online - beta_batch|: %.3f at N = 300, %.3f at 3000, %.3f at 30000\n",
              few, some, many);
  EXPECT_LT(some, few);
  EXPECT_LT(many, some / 2);
  EXPECT_LT(many, few / 5);
}

}  // namespace
}  // namespace plumbline::appendix_a_test
