// LogisticAdaptive for sparse rows: each feature is scaled by the root mean square of its values so far, and only the
// features of a row are touched.
//
//   z_j = x_j/sqrt(mean of the squares of x_j where present), clamped to +-`clip`
//   margin = b + sum over the features of the row of w_j z_j
//
// If `reach` is not 0, z_j is also kept within `reach` deviations of the mean of the z_j that were learned from
// (before clipping) and one additional 0, the value of an absent feature.
//
// Values are not centered, so absent features stay 0. The variance of a weight grows by forgetting only with examples
// that have its feature. Everything else is as in logistic_adaptive.h. Cost per example: O(1) per present feature, and
// a few exponentials.
#pragma once

#include <vector>

#include "plumbline/learner.h"
#include "plumbline/learners/logistic_adaptive.h"
#include "plumbline/learners/logistic_adaptive_limits.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class SparseLogisticAdaptive : public Learner {
 public:
  SparseLogisticAdaptive(const LogisticAdaptive::Params& params, FeatureSpace features);

  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 private:
  using Row = std::span<const Entry>;

  // Per feature: number of examples that have it, sum of squares, weight, and the weight's variance.
  static constexpr std::size_t kCount = 0, kSquares = 1, kWeight = 2, kVariance = 3, kNumbers = 4;
  // Of the scaled values of each feature that were learned from: their mean and the sum of their squared deviations.
  static constexpr std::size_t kLearned = 2;

  void count(Row x);
  void learn(Row x, Label y, double weight);
  // 0 while all values were 0.
  double scale(std::size_t j) const;
  Bounds bounds(std::size_t j) const;
  double scaled(std::size_t j, double value) const;
  double margin(Row x) const;
  bool learns_link() const { return params_.link == LogisticAdaptive::Link::learned; }

  LogisticAdaptive::Params params_;
  std::vector<double> numbers_;  // [features][kNumbers]
  std::vector<double> learned_;  // [features][kLearned], or empty
  double intercept_ = 0;
  double intercept_variance_;
  LearnedLink link_;  // used if `link` is learned

  std::vector<double> z_;  // scratch for learn()
};

}  // namespace plumbline::inline v0
