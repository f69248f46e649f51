// Everyone who gives a model its scores: the boosted ensemble, and companions beside it, single
// learners of other kinds, each trained on every example with weight 1.
//
// Of a row they say (plumbline/data/score_table.h), in this order:
//   the ensemble's score, of the kind that it is configured for
//   its other score (logistic beside vote_fraction, or the other way round)
//   its confidence (ensemble/scores.h)
//   of each companion 1/(1 + e^-margin)
// A calibrator that reads them all (`stack`, `mixture`) finds out whom to believe. Cost per example:
// that of the ensemble and of an update and a prediction of each companion.
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
  // What the ensemble's learners said of the examples is passed on from `scores`.
  void train(const Examples& examples, const Margins& margins);
  // Makes the table and the margins fit and fills them; may be called from several threads at once.
  void scores(const Batch& batch, ScoreTable& table, Margins& margins) const;
  // Adds features up to this number, as if they had been 0 in every example so far.
  void grow(std::size_t features);

  const OnlineBoost& ensemble() const { return ensemble_; }
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kOfEnsemble = 3;

  OnlineBoost ensemble_;
  // Companions are not boosted: boosting a linear model gains little, and the calibrator weighs them.
  std::vector<std::unique_ptr<Learner>> companions_;
  std::vector<double> weights_;  // scratch of train(): ones
};

}  // namespace plumbline::inline v0
