// Logistic regression that needs no tuning: every feature is standardised by its own running
// moments and has a learning rate of its own, which falls with what is known of its weight.
//
//   z_j = (x_j - mean_j)/deviation_j, kept within +-`clip`; 0 while the feature is constant
//   margin = b + sum_j w_j z_j
// If `reach` is not 0, z_j is also kept within `reach` deviations around the mean of the z_j that were learned from
// (before they were cut off). While a column that counts up is learned, z_j is always near sqrt(3), and its weight does
// the work of the intercept: of other z_j, those of earlier or much later rows, nothing was learned.
// Per example with weight k, with the variances v_j of the weights (1/`ridge` at first; that of the
// intercept is 10) and z_0 = 1 for the intercept:
//   v_j <- min(v_j/`forgetting`, its beginning)
//   g = sum_j v_j z_j^2,  m = margin + k g (y - p(m))          (an implicit step: math/implicit_step.h)
//   w_j <- w_j + k (y - p(m)) v_j z_j
//   v_j <- v_j/(1 + k p(m) (1 - p(m)) v_j z_j^2)
// This is Laplace's approximation of the posterior of the weights, taken as independent (a diagonal
// extended Kalman filter; compare AROW: Crammer, Kulesza & Dredze 2009; and for normalised updates
// Ross, Mineiro & Langford 2013). Multiplying a feature by a constant, or adding one, changes
// nothing. The moments count every example once, also those of weight 0; they do not forget.
// Not lossless. Repetitions are one update of their number: no step goes beyond the label. Cost per
// example: O(d), one division for each feature and a few exponentials.
#pragma once

#include <vector>

#include "plumbline/learner.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class LogisticAdaptive : public Learner {
 public:
  struct Params {
    double ridge = 1;
    double forgetting = 0.9999;
    double clip = 5;
    double reach = 0;
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
  double margin(Row x) const;
  void count_standardised();
  // Recomputes what `standardised` needs of the moments.
  void refresh();
  void refresh_bounds();

  Params params_;
  double count_ = 0;             // examples seen
  std::vector<double> mean_;     // of each feature
  std::vector<double> squares_;  // the sum of its squared deviations
  // The same of the standardized values that were learned from, if `reach` is not 0.
  std::vector<double> learned_mean_, learned_squares_;
  std::vector<double> weights_;
  std::vector<double> variance_;  // of the weights
  double intercept_ = 0;
  double intercept_variance_;

  std::vector<double> inverse_deviation_;  // cache; 0 for a constant feature
  std::vector<double> low_, high_;         // cache: what standardized values are kept within
  std::vector<double> z_;                  // scratch of learn(): the row, standardized
};

}  // namespace plumbline::inline v0
