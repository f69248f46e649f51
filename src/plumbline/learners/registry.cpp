#include "plumbline/learners/registry.h"

#include "plumbline/learners/gaussian_nb.h"
#include "plumbline/learners/logistic_adaptive.h"
#include "plumbline/learners/sgd_linear.h"

namespace plumbline {

const LearnerRegistry& learners() {
  using R = LearnerRegistry;
  using Loss = SgdLinear::Loss;
  static const R registry(
      "learner",
      {R::row<GaussianNb>("gaussian_nb", "Gaussian Naive Bayes, lossless online"),
       R::row<SgdLinear>("logistic", "logistic regression by SGD", {.loss = Loss::logistic}),
       R::row<LogisticAdaptive>("logistic_adaptive",
                                "logistic regression that scales features and learning rates "
                                "itself, with forgetting"),
       R::row<SgdLinear>("linear_svm", "linear support vector machine by SGD",
                         {.loss = Loss::hinge}),
       R::row<SgdLinear>("perceptron", "the perceptron: only mistakes move it",
                         {.loss = Loss::perceptron,
                          .penalty = SgdLinear::Penalty::none,
                          .learning_rate = SgdLinear::LearningRate::constant})});
  return registry;
}

}  // namespace plumbline
