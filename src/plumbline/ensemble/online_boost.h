// OnlineBoost (Oza 2005): the paper's Algorithm 1, and Algorithm 4 of its appendix A.
//
// For each example, lambda = 1. For each learner t = 1..T in turn: h_t learns the example with
// weight k ~ Poisson(lambda) (resampling) or lambda (reweighting). If h_t is right, lambda is added to
// lambda_sc and becomes lambda/(2(1 - eps_t)); if wrong, it is added to lambda_sw and becomes
// lambda/(2 eps_t); eps_t = lambda_sw/(lambda_sw + lambda_sc), and 1/2 before any weight.
// Votes have the weight beta_t = ln((1 - eps_t)/eps_t).
//
// Differences from the paper, which keep every number finite:
//  - eps_t is clamped to [error_floor, 1 - error_floor]. A learner that has not erred yet gets a
//    large but finite vote, ln(1/error_floor) = 23 by default, instead of an infinite one.
//  - lambda is clamped to [1e-100, weight_cap].
// Poisson draws depend only on the seed, the learner and the example's index.
// Cost per example: T times that of a learner's update and prediction.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/ensemble.h"
#include "plumbline/ensemble/scores.h"
#include "plumbline/learner.h"
#include "plumbline/learners/bank.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

// ln((1 - eps)/eps).
double vote_weight(double error);

class OnlineBoost {
 public:
  using Params = EnsembleOptions;
  using Resample = Params::Resample;
  using UpdateBy = Params::UpdateBy;
  using LearnerView = BoostedLearner;

  // The bank must have `params.size` learners.
  OnlineBoost(const Params& params, std::unique_ptr<Bank> bank, std::uint64_t seed);

  void train(const Examples& examples);
  // The same with what the learners say of the examples as they are now: `before_batch` needs it. Scoring has
  // computed these margins already, so that no learner is asked twice.
  void train(const Examples& examples, const Margins& margins);

  // Writes scores in [0, 1]. Changes no state and may be called concurrently.
  void scores(const Batch& batch, std::span<double> scores) const;
  // Also writes the scores of the other kind, the confidences (ensemble/scores.h), and the margins.
  void scores(const Batch& batch, std::span<double> scores, std::span<double> others,
              std::span<double> confidence, Margins& margins) const;

  // The margins of all learners, learner after learner.
  void all_margins(const Batch& batch, Margins& margins) const;

  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  void grow(std::size_t features);

  std::vector<LearnerView> view() const;
  void archive(Archive& archive);

 private:
  template <class Use>
  void tally(const Batch& batch, Margins& margins, const Use& use) const;
  Correctness correctness_for(std::size_t examples) const;
  double error(std::size_t t) const { return rule_.error(correct_weight_[t], wrong_weight_[t]); }

  Params params_;
  std::unique_ptr<Bank> bank_;
  kernels::BoostRule rule_;
  Weighting weighting_;
  std::vector<double> correct_weight_;
  std::vector<double> wrong_weight_;
  std::uint64_t examples_seen_ = 0;

  Margins margins_;  // scratch for train()
};

}  // namespace plumbline::inline v0
