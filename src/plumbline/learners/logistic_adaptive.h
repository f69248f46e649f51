// Logistic regression without tuning: every feature is standardised by its running moments and has its
// own learning rate, which decreases with the variance of its weight.
//
//   z_j = (x_j - mean_j)/deviation_j, clamped to +-`clip`; 0 while the feature is constant
//   margin = b + sum_j w_j z_j
// If `reach` is not 0, z_j is also kept within `reach` deviations of the mean of the z_j that were learned from
// (before clipping). While a column that counts up is learned, z_j is always near sqrt(3), and its weight acts as an
// intercept; nothing was learned about other z_j, those of earlier or much later rows.
// Per example with weight k, with the variances v_j of the weights (initially 1/`ridge`, and 10 for the
// intercept) and z_0 = 1 for the intercept:
//   v_j <- min(v_j/`forgetting`, its initial value)
//   g = sum_j v_j z_j^2,  m = margin + k g (y - p(m))          (an implicit step: math/implicit_step.h)
//   w_j <- w_j + k (y - p(m)) v_j z_j
//   v_j <- v_j/(1 + k p(m) (1 - p(m)) v_j z_j^2)
// This is Laplace's approximation of the posterior of the weights, assumed independent (a diagonal
// extended Kalman filter; compare AROW: Crammer, Kulesza & Dredze 2009; and for normalised updates
// Ross, Mineiro & Langford 2013). Multiplying a feature by a constant, or adding one, changes
// nothing. The moments count every example once, also those of weight 0, and are not discounted.
// With `link=learned`, the margin is corrected where the probabilities differ from the frequencies of the labels
// (math/learned_link.h); the weights are learned as without it.
// Not lossless. k repetitions are one update of weight k, which cannot overshoot the label. Cost per
// example: O(d), one division for each feature and a few exponentials.
#pragma once

#include <vector>

#include "plumbline/learner.h"
#include "plumbline/math/learned_link.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class LogisticAdaptive : public Learner {
 public:
  enum class Link { logistic, learned };

  struct Params {
    double ridge = 1;
    double forgetting = 0.9999;
    double clip = 5;
    double reach = 0;
    Link link = Link::logistic;
    void visit(OptionVisitor& visitor);
  };

  LogisticAdaptive(const Params& params, FeatureSpace features);

  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting = Weighting::importance) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 private:
  using Row = std::span<const double>;

  // Counts a row, and standardizes it to `z_`.
  void count(Row x);
  void learn(Row x, Label y, double weight);
  double standardised(std::size_t j, double value) const;
  double margin(Row x) const;  // without a learned link
  void count_standardised();
  // Recomputes the cache of `standardised` from the moments.
  void refresh();
  void refresh_bounds();

  Params params_;
  double count_ = 0;             // number of examples
  std::vector<double> mean_;     // per feature
  std::vector<double> squares_;  // per feature: the sum of squared deviations
  // Moments of the standardized values that were learned from, if `reach` is not 0.
  std::vector<double> learned_mean_, learned_squares_;
  std::vector<double> weights_;
  std::vector<double> variance_;  // of the weights
  double intercept_ = 0;
  double intercept_variance_;
  LearnedLink link_;  // used if `link` is learned

  std::vector<double> inverse_deviation_;  // cache; 0 for a constant feature
  std::vector<double> low_, high_;         // cache: the bounds of standardized values
  std::vector<double> z_;                  // scratch for learn(): the standardized row
};

}  // namespace plumbline::inline v0
