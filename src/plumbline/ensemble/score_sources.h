// The boosted ensemble plus optional companions (companions/companion.h). Together they fill the score table
// (plumbline/data/score_table.h), whose columns are, in this order:
//   the ensemble's score, of the configured kind
//   its score of the other kind (logistic or vote_fraction)
//   its confidence (ensemble/scores.h)
//   1/(1 + e^-margin) of each column of each companion
//   1/(1 + e^-margin) of each column that the caller gives
// Calibrators that read all columns (`stack`, `mixture`) learn their weights. Cost per example: that of
// the ensemble, and an update and a prediction of each companion.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plumbline/companions/companion.h"
#include "plumbline/data/score_table.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

// A companion by its name: a built-in one, or a learner, which then learns every example with weight 1.
std::unique_ptr<Companion> make_companion(const LearnerRegistry& learners, const Spec& spec,
                                          const CompanionUse& use);
// The number of its columns.
std::size_t companion_columns(const Spec& spec);
// Its trait (CompanionTraits).
bool follows_labels(const Spec& spec);
// The spec with its options checked and defaults filled in.
Spec complete_companion(const LearnerRegistry& learners, const Spec& spec);

// Inputs of the scores besides the features of the rows.
struct ScoreInputs {
  std::size_t ahead = 0;  // number of rows between the last learned one and the first of the batch
  std::span<const double> margins{};  // columns from the caller, column after column

  // The inputs of the rows [first, first + count) out of `rows`; `scratch` holds their margins.
  ScoreInputs part(std::size_t first, std::size_t count, std::size_t rows,
                   std::vector<double>& scratch) const;
};

class ScoreSources {
 public:
  // `given` is the number of columns that the caller gives.
  ScoreSources(const LearnerRegistry& learners, const OnlineBoost::Params& params,
               const Spec& learner, const std::vector<Spec>& companions, FeatureSpace features,
               std::size_t given, std::uint64_t seed);

  std::size_t columns() const { return columns_; }
  // `margins` are those that `scores` wrote for the same examples.
  void train(const Examples& examples, const Margins& margins);
  // Teaches the companions that must see every label (CompanionTraits::follows_labels), and no other.
  void follow_labels(const Examples& examples);
  // Resizes and fills the table and the margins; may be called concurrently.
  void scores(const Batch& batch, const ScoreInputs& inputs, ScoreTable& table,
              Margins& margins) const;
  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  void grow(std::size_t features);

  const OnlineBoost& ensemble() const { return ensemble_; }
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kOfEnsemble = 3;

  OnlineBoost ensemble_;
  // Companions are not boosted: boosting a linear model gains little, and the calibrator weighs them.
  std::vector<std::unique_ptr<Companion>> companions_;
  std::vector<std::size_t> widths_;    // the columns of each companion
  std::vector<Companion*> followers_;  // those that must see every label
  std::size_t columns_;
};

}  // namespace plumbline::inline v0
