#include "plumbline/learners/registry.h"

#include "plumbline/learners/gaussian_nb.h"
#include "plumbline/learners/logistic_adaptive.h"
#include "plumbline/learners/sgd_linear.h"
#include "plumbline/learners/sparse_gaussian_nb.h"
#include "plumbline/learners/sparse_logistic_adaptive.h"

namespace plumbline {
namespace {

using Made = std::unique_ptr<Learner>;

// A learner that has a form of its own for sparse rows.
template <class Dense, class Sparse>
Made by_rows(const typename Dense::Params& params, FeatureSpace features) {
  if (features.sparse) return std::make_unique<Sparse>(params, features);
  return std::make_unique<Dense>(params, features);
}

}  // namespace

const LearnerRegistry& learners() {
  using R = LearnerRegistry;
  using Loss = SgdLinear::Loss;
  static const R registry(
      "learner",
      {R::row_of("gaussian_nb", "Gaussian Naive Bayes, lossless online", GaussianNb::Params{},
                 by_rows<GaussianNb, SparseGaussianNb>),
       R::row<SgdLinear>("logistic", "logistic regression by SGD", {.loss = Loss::logistic}),
       R::row_of("logistic_adaptive",
                 "logistic regression that scales features and learning rates itself, with "
                 "forgetting",
                 LogisticAdaptive::Params{}, by_rows<LogisticAdaptive, SparseLogisticAdaptive>),
       R::row<SgdLinear>("linear_svm", "linear support vector machine by SGD",
                         {.loss = Loss::hinge}),
       R::row<SgdLinear>("perceptron", "the perceptron: only mistakes move it",
                         {.loss = Loss::perceptron,
                          .penalty = SgdLinear::Penalty::none,
                          .learning_rate = SgdLinear::LearningRate::constant})});
  return registry;
}

}  // namespace plumbline
