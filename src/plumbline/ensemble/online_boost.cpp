#include "plumbline/ensemble/online_boost.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumbline::inline v0 {
namespace {

// `before_batch` takes effect after this many minibatches of the current size.
constexpr std::uint64_t kFewSeen = 20;

}  // namespace

double vote_weight(double error) { return std::log((1 - error) / error); }

void EnsembleOptions::visit(OptionVisitor& visitor) {
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
      "time at which a learner's error is counted: after it learned the example (after_update, the "
      "paper's algorithm), before (before_update, an out-of-sample error), or before it learned "
      "any "
      "of the minibatch (before_batch, also out of sample, and faster; it acts as before_update "
      "while a minibatch is more than 1/20 of all examples so far)");
  visitor.choice("update_by", update_by,
                 {{"example", UpdateBy::example}, {"minibatch", UpdateBy::minibatch}},
                 "examples per update of a learner: one, or the whole minibatch");
  visitor.choice(
      "score", score,
      {{"vote_fraction", ScoreKind::vote_fraction}, {"logistic", ScoreKind::logistic}},
      "score in [0, 1]: weighted share of the votes for the positive class, or the logistic "
      "function of the weighted sum of all votes");
  visitor.choice(
      "negative_votes", negative_votes,
      {{"keep", NegativeVotes::keep}, {"drop", NegativeVotes::drop}, {"flip", NegativeVotes::flip}},
      "vote of a learner worse than chance: as in the formulas (keep), ignored (drop), or for the "
      "other class (flip)");
  visitor.real("error_floor", error_floor, Range::closed(1e-15, 0.25),
               "smallest distance of a learner's error from 0 and 1");
  visitor.real("weight_cap", weight_cap, Range::closed(1, 1e12),
               "largest weight of an example on its way along the learners");
  visitor.flag("test_unseen", test_unseen,
               "test a learner that drew 0 on the example; if not, the example skips the learner "
               "and its weight does not change");
  visitor.real("prior_weight", prior_weight, Range::closed(0, 1e6),
               "initial weight of right and of wrong answers of each learner");
}

OnlineBoost::OnlineBoost(const Params& params, std::unique_ptr<Bank> bank, std::uint64_t seed)
    : params_(params),
      bank_(std::move(bank)),
      rule_{.resample = params.resample == Resample::automatic ? bank_->lossless()
                                                               : params.resample != Resample::no,
            .test_unseen = params.test_unseen,
            .error_floor = params.error_floor,
            .weight_cap = params.weight_cap,
            .prior_weight = params.prior_weight,
            .seed = seed},
      weighting_(rule_.resample && params.resample != Resample::weight ? Weighting::repetitions
                                                                       : Weighting::importance),
      correct_weight_(bank_->size()),
      wrong_weight_(bank_->size()) {}

// Learners change fast at first, and their votes from before the minibatch are soon outdated.
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
  bank_->train(examples, {.rule = rule_,
                          .mode = {weighting_, correctness_for(examples.size())},
                          .whole_minibatches = params_.update_by == UpdateBy::minibatch,
                          .first_index = examples_seen_,
                          .correct = correct_weight_,
                          .wrong = wrong_weight_,
                          .margins = margins});
  examples_seen_ += examples.size();
}

void OnlineBoost::all_margins(const Batch& batch, Margins& margins) const {
  margins.resize(bank_->size() * batch.rows);
  bank_->margins(batch, margins);
}

template <class Use>
void OnlineBoost::tally(const Batch& batch, Margins& margins, const Use& use) const {
  all_margins(batch, margins);
  thread_local VoteTally votes;
  votes.begin(batch.rows, params_.negative_votes);
  for (std::size_t t = 0; t < bank_->size(); ++t) {
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
                         std::span<double> confidence, Margins& margins) const {
  const ScoreKind other =
      params_.score == ScoreKind::logistic ? ScoreKind::vote_fraction : ScoreKind::logistic;
  tally(batch, margins, [&](const VoteTally& votes, std::size_t i) {
    scores[i] = votes.score(i, params_.score);
    others[i] = votes.score(i, other);
    confidence[i] = votes.confidence(i);
  });
}

void OnlineBoost::grow(std::size_t features) { bank_->grow(features); }

std::vector<OnlineBoost::LearnerView> OnlineBoost::view() const {
  std::vector<LearnerView> views;
  for (std::size_t t = 0; t < bank_->size(); ++t) {
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
  bank_->archive(archive);
}

}  // namespace plumbline::inline v0
