// The boosted ensemble plus optional companions: single learners of other kinds, each trained on every
// example with weight 1. Together they fill the score table (plumbline/data/score_table.h), whose columns
// are, in this order:
//   the ensemble's score, of the configured kind
//   its score of the other kind (logistic or vote_fraction)
//   its confidence (ensemble/scores.h)
//   1/(1 + e^-margin) of each companion
// Calibrators that read all columns (`stack`, `mixture`) learn their weights. Cost per example: that of
// the ensemble, and an update and a prediction of each companion.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plumbline/data/score_table.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class ScoreSources {
 public:
  ScoreSources(const LearnerRegistry& learners, const OnlineBoost::Params& params,
               const Spec& learner, const std::vector<Spec>& companions, FeatureSpace features,
               std::uint64_t seed);

  std::size_t columns() const { return kOfEnsemble + companions_.size(); }
  // `margins` are those that `scores` wrote for the same examples.
  void train(const Examples& examples, const Margins& margins);
  // Resizes and fills the table and the margins; may be called concurrently.
  void scores(const Batch& batch, ScoreTable& table, Margins& margins) const;
  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  void grow(std::size_t features);

  const OnlineBoost& ensemble() const { return ensemble_; }
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kOfEnsemble = 3;

  OnlineBoost ensemble_;
  // Companions are not boosted: boosting a linear model gains little, and the calibrator weighs them.
  std::vector<std::unique_ptr<Learner>> companions_;
  std::vector<double> weights_;  // scratch for train(): ones
};

}  // namespace plumbline::inline v0
