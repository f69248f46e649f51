// Naive Bayes of sparse rows, learned online: whether a row has a feature, and which value if it has, in each class.
//
// Within class c, feature j is present as often as lambda_cj says (a Poisson model, so that absent features need not be
// touched), and its value is normal:
//
//   margin(x) = ln N_1/N_0 - (L_1 - L_0)
//               + sum over the features j of x of [ ln lambda_1j/lambda_0j
//                                                   + ln N(x_j; mu_1j, v_1j) - ln N(x_j; mu_0j, v_0j) ]
//
// with N_c the weight of the examples of class c, and L_c = sum_j lambda_cj over all features, which is kept up to date
// in O(1). All estimates are drawn towards those of both classes together by `kPrior` examples: with n_cj the
// weight of the examples of class c that have feature j and p_j = (n_0j + n_1j)/(N_0 + N_1),
//
//   lambda_cj = (n_cj + kPrior p_j)/(N_c + kPrior),
//
// and the same for means and variances, with n_cj in place of N_c. So a feature that one class never had speaks against
// that class, but not without bound, and a feature that no class had says nothing. Variances have the floors of
// GaussianNb. Before any example of a class, the other one wins, as there.
// Lossless: k updates equal one update of weight k. Cost per example: O(1) for each feature that it has.
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

  // Of each feature and class: of the examples that have it, weight, mean and variance.
  static constexpr std::size_t kWeight = 0, kMean = 1, kVariance = 2, kOfClass = 3, kNumbers = 6;

  void learn(Row x, Label y, double weight);
  double margin(Row x) const;

  GaussianNb::Params params_;
  std::array<double, 2> weight_{};   // of the examples of each class
  std::array<double, 2> present_{};  // of their features, all together
  std::vector<double> moments_;      // [features][class][kOfClass]
};

}  // namespace plumbline::inline v0
