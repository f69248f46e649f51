// Gaussian Naive Bayes, learned online: each feature is normal within each class.
//
//   margin(x) = ln P(1) - ln P(0) + sum_j [ ln N(x_j; mu_1j, v_1j) - ln N(x_j; mu_0j, v_0j) ]
//
// Means and variances are merged by Chan, Golub & LeVeque's formulas, as in scikit-learn's
// GaussianNB.partial_fit. `learn_batch` equals partial_fit, its variance smoothing included:
// e = var_smoothing * max_j Var(X_j) of the batch is subtracted from the stored variances, the
// batch is merged, and e is added again. (A class of total weight below 1e-8 in a batch is merged
// too; scikit-learn counts it but skips its moments.) For a single row e is 0, so `learn_each` needs no
// smoothing, and a variance can be 0. The density therefore uses
//
//   max(v_cj, variance_floor, relative_floor * Var_j),   Var_j over both classes,
//
// where scikit-learn would divide by zero. If a class has no examples yet, the other one wins.
// Lossless: k updates equal one update of weight k. Cost per example: O(d), d divisions.
// Ensembles use faster kernels (kernels/gaussian_nb.h) with the same results to the bit.
#pragma once

#include <array>
#include <vector>

#include "plumbline/learner.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class GaussianNb : public Learner {
 public:
  struct Params {
    double variance_floor = 1e-9;
    double relative_floor = 0;
    double var_smoothing = 1e-9;
    void visit(OptionVisitor& visitor);
  };

  // The state in model files.
  struct State {
    explicit State(std::size_t features) : mean(2 * features), variance(2 * features) {}
    void archive(Archive& archive);

    std::array<double, 2> weight{};  // of the examples so far, per class
    std::vector<double> mean;        // [2][features]
    std::vector<double> variance;    // [2][features]
  };

  GaussianNb(const Params& params, FeatureSpace features);

  const Params& params() const { return params_; }
  bool lossless() const override { return true; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting = Weighting::importance) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 private:
  using Row = std::span<const double>;

  std::span<double> of_class(std::vector<double>& values, std::size_t c) const;
  std::span<const double> of_class(const std::vector<double>& values, std::size_t c) const;
  // Does not update the caches.
  void merge_example(Row x, Label y, double weight);
  void learn(Row x, Label y, double weight);
  double margin(Row x) const;
  // Recomputes the caches from the moments of both classes.
  void refresh();
  void refresh_floors();
  void refresh_class(std::size_t c);
  void refresh_ratio();

  Params params_;
  std::size_t features_;
  State state_;

  // Caches.
  std::vector<double> floor_;  // per feature: its smallest variance, divided by `variance_floor`
  std::vector<double> precision_;  // [2][features]: 1/variance, with floors applied
  // Per class: the product of the variances divided by `variance_floor`.
  std::array<double, 2> mantissa_{1, 1}, exponent_{};
  double log_ratio_ = 0;  // the part of the margin that does not depend on the row
};

}  // namespace plumbline::inline v0
