// Naive Bayes of sparse rows, learned online: models the presence of each feature in each class, and its value if it
// is present.
//
// Within class c, feature j is present with rate lambda_cj (a Poisson model, which need not touch absent features), and
// its value is normal:
//
//   margin(x) = ln N_1/N_0 - (L_1 - L_0)
//               + sum over the features j of x of [ ln lambda_1j/lambda_0j
//                                                   + ln N(x_j; mu_1j, v_1j) - ln N(x_j; mu_0j, v_0j) ]
//
// with N_c the weight of the examples of class c, and L_c = sum_j lambda_cj over all features, which is updated in
// O(1). All estimates are shrunk towards those of both classes together by `kPrior` examples: with n_cj the weight of
// the examples of class c that have feature j and p_j = (n_0j + n_1j)/(N_0 + N_1),
//
//   lambda_cj = (n_cj + kPrior p_j)/(N_c + kPrior),
//
// and likewise for means and variances, with n_cj in place of N_c. A feature that one class never had is therefore
// bounded evidence against that class, and a feature that no class had is no evidence. Variances have the floors of
// GaussianNb. As there, if a class has no examples yet, the other one wins.
// Lossless: k updates equal one update of weight k. Cost per example: O(1) per present feature.
#pragma once

#include <array>
#include <vector>

#include "plumbline/learner.h"
#include "plumbline/learners/gaussian_nb.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class SparseGaussianNb : public Learner {
 public:
  SparseGaussianNb(const GaussianNb::Params& params, FeatureSpace features);

  bool lossless() const override { return true; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override { moments_.resize(kNumbers * features); }
  void archive(Archive& archive) override;

 private:
  using Row = std::span<const Entry>;

  // Per feature and class: weight, mean and variance of the examples in which the feature is present.
  static constexpr std::size_t kWeight = 0, kMean = 1, kVariance = 2, kOfClass = 3, kNumbers = 6;

  void learn(Row x, Label y, double weight);
  double margin(Row x) const;

  GaussianNb::Params params_;
  std::array<double, 2> weight_{};   // per class: of the examples
  std::array<double, 2> present_{};  // per class: of all present features
  std::vector<double> moments_;      // [features][class][kOfClass]
};

}  // namespace plumbline::inline v0
