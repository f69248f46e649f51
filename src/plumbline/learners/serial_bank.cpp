#include "plumbline/learners/serial_bank.h"

#include <algorithm>

#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {

SerialBank::SerialBank(std::size_t size, const MakeLearner& make_learner) {
  for (std::size_t t = 0; t < size; ++t) learners_.push_back(make_learner());
}

void SerialBank::draw_counts(std::size_t t, const BoostPass& training) {
  const auto stream = kLearnerStream + static_cast<std::uint32_t>(t);
  for (std::size_t i = 0; i < lambda_.size(); ++i) {
    Rng rng(training.rule.seed, stream, training.first_index + i);
    counts_[i] = static_cast<double>(rng.poisson(lambda_[i]));
  }
}

void SerialBank::take_votes(std::span<const double> margins) {
  std::ranges::transform(margins, votes_.begin(), predicted_class);
}

void SerialBank::reweight(std::size_t t, const Examples& examples, const BoostPass& training) {
  const kernels::BoostRule& rule = training.rule;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (rule.resample && !rule.test_unseen && counts_[i] == 0) continue;
    const bool correct = votes_[i] == examples.y[i];
    (correct ? training.correct : training.wrong)[t] += lambda_[i];
    const double eps = rule.error(training.correct[t], training.wrong[t]);
    lambda_[i] = rule.passed_on(lambda_[i], correct, eps);
  }
}

void SerialBank::train(const Examples& examples, const BoostPass& training) {
  const std::size_t n = examples.size();
  lambda_.assign(n, 1.0);
  counts_.resize(n);
  votes_.resize(n);
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    Learner& learner = *learners_[t];
    if (training.rule.resample) draw_counts(t, training);
    const std::vector<double>& weights = training.rule.resample ? counts_ : lambda_;
    if (training.mode.correctness == Correctness::before_batch) {
      take_votes(training.margins.subspan(t * n, n));
    }
    if (training.whole_minibatches) {
      learn_batch(learner, examples, weights, training.mode);
    } else {
      learner.learn_each(examples, weights, training.mode, votes_);
    }
    reweight(t, examples, training);
  }
}

void SerialBank::learn_batch(Learner& learner, const Examples& examples,
                             std::span<const double> weights, const LearnMode& mode) {
  margins_.resize(examples.size());
  const auto ask = [&] {
    learner.margins(examples.x, margins_);
    take_votes(margins_);
  };
  if (mode.correctness == Correctness::before_update) ask();
  learner.learn_batch(examples, weights, mode.weighting);
  if (mode.correctness == Correctness::after_update) ask();
}

void SerialBank::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    learners_[t]->margins(batch, margins.subspan(t * batch.rows, batch.rows));
  }
}

void SerialBank::grow(std::size_t features) {
  for (const auto& learner : learners_) learner->grow(features);
}

void SerialBank::archive(Archive& archive) {
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    archive.scope(learner_scope(t), [&](Archive& inner) { learners_[t]->archive(inner); });
  }
}

}  // namespace plumbline::inline v0
