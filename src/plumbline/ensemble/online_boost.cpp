#include "plumbline/ensemble/online_boost.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "plumbline/core/rng.h"

namespace plumbline {
namespace {

constexpr double kMinLambda = 1e-100;
// `before_batch` begins when so many minibatches of the present size were seen.
constexpr std::uint64_t kFewSeen = 20;

}  // namespace

double vote_weight(double error) { return std::log((1 - error) / error); }

void OnlineBoost::Params::visit(OptionVisitor& visitor) {
  visitor.integer("size", size, Range::closed(1, 100000), "number of weak learners, T");
  visitor.choice("resample", resample,
                 {{"auto", Resample::automatic},
                  {"true", Resample::yes},
                  {"weight", Resample::weight},
                  {"false", Resample::no}},
                 "learn each example Poisson(lambda) times (true), once with weight "
                 "Poisson(lambda) (weight), or once with weight lambda (false); auto is true if "
                 "the learner is lossless, else false, as the paper does");
  visitor.choice(
      "correctness", correctness,
      {{"after_update", Correctness::after_update},
       {"before_update", Correctness::before_update},
       {"before_batch", Correctness::before_batch}},
      "whether a learner's error is counted after it learned the example (the paper's algorithm), "
      "before (an honest, out-of-sample error), or before it learned any of the minibatch (as "
      "honest, and faster; while a minibatch is more than 1/20 of what was seen, as "
      "before_update)");
  visitor.choice("update_by", update_by,
                 {{"example", UpdateBy::example}, {"minibatch", UpdateBy::minibatch}},
                 "whether a learner takes one example or the whole minibatch at a step");
  visitor.choice("score", score,
                 {{"vote_fraction", ScoreKind::vote_fraction}, {"logistic", ScoreKind::logistic}},
                 "how votes become a score in [0, 1]");
  visitor.choice(
      "negative_votes", negative_votes,
      {{"keep", NegativeVotes::keep}, {"drop", NegativeVotes::drop}, {"flip", NegativeVotes::flip}},
      "what the vote of a learner worse than chance counts for");
  visitor.real("error_floor", error_floor, Range::closed(1e-15, 0.25),
               "a learner's error is kept this far from 0 and 1");
  visitor.real("weight_cap", weight_cap, Range::closed(1, 1e12),
               "the largest weight that an example can get on its way along the learners");
  visitor.flag("test_unseen", test_unseen,
               "whether a learner that drew 0 is tested on the example; if not, the example passes "
               "it by, and its weight stays as it is");
  visitor.real("prior_weight", prior_weight, Range::closed(0, 1e6),
               "weight of right and of wrong answers that each learner begins with");
}

OnlineBoost::OnlineBoost(const Params& params, const MakeLearner& make_learner, std::uint64_t seed)
    : params_(params),
      seed_(seed),
      correct_weight_(static_cast<std::size_t>(params.size)),
      wrong_weight_(static_cast<std::size_t>(params.size)) {
  for (std::int64_t t = 0; t < params.size; ++t) learners_.push_back(make_learner());
  resample_ = params.resample == Resample::automatic ? learners_.front()->lossless()
                                                     : params.resample != Resample::no;
  weighting_ = resample_ && params.resample != Resample::weight ? Weighting::repetitions
                                                                : Weighting::importance;
}

double OnlineBoost::error(std::size_t t) const {
  const double total = wrong_weight_[t] + correct_weight_[t] + 2 * params_.prior_weight;
  if (total == 0) return 0.5;
  return std::clamp((wrong_weight_[t] + params_.prior_weight) / total, params_.error_floor,
                    1 - params_.error_floor);
}

void OnlineBoost::draw_counts(std::size_t t, std::span<const double> lambda,
                              std::span<double> counts) const {
  const auto stream = kLearnerStream + static_cast<std::uint32_t>(t);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    counts[i] = static_cast<double>(Rng(seed_, stream, examples_seen_ + i).poisson(lambda[i]));
  }
}

void OnlineBoost::reweight(std::size_t t, const Examples& examples, std::span<double> lambda) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (resample_ && !params_.test_unseen && counts_[i] == 0) continue;
    const bool correct = votes_[i] == examples.y[i];
    (correct ? correct_weight_ : wrong_weight_)[t] += lambda[i];
    const double eps = error(t);
    lambda[i] =
        std::clamp(lambda[i] / (2 * (correct ? 1 - eps : eps)), kMinLambda, params_.weight_cap);
  }
}

// Learners change fast at first, and what they said before the minibatch is soon out of date.
Correctness OnlineBoost::correctness_for(std::size_t examples) const {
  const bool early = kFewSeen * examples > examples_seen_;
  return params_.correctness == Correctness::before_batch && early ? Correctness::before_update
                                                                   : params_.correctness;
}

void OnlineBoost::train(const Examples& examples) {
  if (params_.correctness == Correctness::before_batch) all_margins(examples.x, margins_);
  train(examples, margins_);
}

void OnlineBoost::train(const Examples& examples, const Margins& margins) {
  const std::size_t n = examples.size();
  lambda_.assign(n, 1.0);
  counts_.resize(n);
  votes_.resize(n);
  const LearnMode mode{weighting_, correctness_for(n)};
  // Learner by learner, not example by example: the same results (see learners/learner.h).
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    Learner& learner = *learners_[t];
    if (resample_) draw_counts(t, lambda_, counts_);
    const std::vector<double>& weights = resample_ ? counts_ : lambda_;
    if (mode.correctness == Correctness::before_batch) {
      take_votes(std::span(margins).subspan(t * n, n));
    }
    if (params_.update_by == UpdateBy::example) {
      learner.learn_each(examples, weights, mode, votes_);
    } else {
      learn_batch(learner, examples, weights, mode.correctness);
    }
    reweight(t, examples, lambda_);
  }
  examples_seen_ += n;
}

void OnlineBoost::learn_batch(Learner& learner, const Examples& examples,
                              std::span<const double> weights, Correctness correctness) {
  std::vector<double> margins(examples.size());
  const auto ask = [&] {
    learner.margins(examples.x, margins);
    take_votes(margins);
  };
  if (correctness == Correctness::before_update) ask();
  learner.learn_batch(examples, weights, weighting_);
  if (correctness == Correctness::after_update) ask();
}

void OnlineBoost::take_votes(std::span<const double> margins) {
  std::ranges::transform(margins, votes_.begin(), vote);
}

void OnlineBoost::all_margins(const Batch& batch, Margins& margins) const {
  margins.resize(learners_.size() * batch.rows);
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    learners_[t]->margins(batch, std::span(margins).subspan(t * batch.rows, batch.rows));
  }
}

template <class Use>
void OnlineBoost::tally(const Batch& batch, Margins& margins, const Use& use) const {
  all_margins(batch, margins);
  VoteTally votes(batch.rows, params_.negative_votes);
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    const double eps = error(t);
    if (eps == 0.5) continue;  // no vote
    votes.add(vote_weight(eps), std::span(margins).subspan(t * batch.rows, batch.rows));
  }
  for (std::size_t i = 0; i < batch.rows; ++i) use(votes, i);
}

void OnlineBoost::scores(const Batch& batch, std::span<double> scores) const {
  Margins margins;
  tally(batch, margins,
        [&](const VoteTally& votes, std::size_t i) { scores[i] = votes.score(i, params_.score); });
}

void OnlineBoost::scores(const Batch& batch, std::span<double> scores, std::span<double> others,
                         std::span<double> sureness, Margins& margins) const {
  const ScoreKind other =
      params_.score == ScoreKind::logistic ? ScoreKind::vote_fraction : ScoreKind::logistic;
  tally(batch, margins, [&](const VoteTally& votes, std::size_t i) {
    scores[i] = votes.score(i, params_.score);
    others[i] = votes.score(i, other);
    sureness[i] = votes.sureness(i);
  });
}

void OnlineBoost::margins(const Batch& batch, std::span<double> normalised) const {
  Margins margins;
  tally(batch, margins,
        [&](const VoteTally& votes, std::size_t i) { normalised[i] = votes.margin(i); });
}

void OnlineBoost::grow(std::size_t features) {
  for (const auto& learner : learners_) learner->grow(features);
}

std::vector<OnlineBoost::LearnerView> OnlineBoost::view() const {
  std::vector<LearnerView> views;
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    views.push_back({correct_weight_[t], wrong_weight_[t], error(t), vote_weight(error(t))});
  }
  return views;
}

void OnlineBoost::archive(Archive& archive) {
  archive.value("examples_seen", examples_seen_);
  archive.values("correct_weight", correct_weight_);
  archive.values("wrong_weight", wrong_weight_);
  archive.require_within("correct_weight", correct_weight_, 0, kMaxState);
  archive.require_within("wrong_weight", wrong_weight_, 0, kMaxState);
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    archive.scope("learner" + std::to_string(t + 1),
                  [&](Archive& inner) { learners_[t]->archive(inner); });
  }
}

}  // namespace plumbline
