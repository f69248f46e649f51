#include "plumbline/learner.h"

#include "plumbline/learners/gaussian_nb.h"
#include "plumbline/learners/hoeffding_tree.h"
#include "plumbline/learners/logistic_adaptive.h"
#include "plumbline/learners/logistic_bins.h"
#include "plumbline/learners/sgd_linear.h"
#include "plumbline/learners/simd_bank.h"
#include "plumbline/learners/sparse_gaussian_nb.h"
#include "plumbline/learners/sparse_logistic_adaptive.h"

namespace plumbline::inline v0 {
namespace {

using Loss = SgdLinear::Loss;

// A learner with a separate implementation for sparse rows.
template <class Dense, class Sparse>
std::unique_ptr<Learner> by_rows(const typename Dense::Params& params, FeatureSpace features) {
  if (features.sparse) return std::make_unique<Sparse>(params, features);
  return std::make_unique<Dense>(params, features);
}

std::unique_ptr<Bank> gaussian_nb_bank(const Spec& learner, std::size_t size, FeatureSpace features,
                                       const BankUse& use) {
  if (features.sparse || use.whole_minibatches) return nullptr;
  return make_gaussian_nb_bank(read_params<GaussianNb::Params>(learner, learner.name), size,
                               features.count);
}

template <Loss kLoss>
std::unique_ptr<Bank> sgd_bank(const Spec& learner, std::size_t size, FeatureSpace features,
                               const BankUse& use) {
  if (use.whole_minibatches || use.repetitions) return nullptr;
  return make_sgd_bank(read_params(learner, learner.name, SgdLinear::Params{.loss = kLoss}), size,
                       features);
}

template <Loss kLoss>
LearnerRegistry::Row sgd_row(const std::string& name, const std::string& summary,
                             SgdLinear::Params defaults = {}) {
  defaults.loss = kLoss;
  LearnerRegistry::Row row = learner_row<SgdLinear>(name, summary, defaults);
  row.traits.make_bank = sgd_bank<kLoss>;
  return row;
}

}  // namespace

const LearnerRegistry& learners() {
  using R = LearnerRegistry;
  static const R registry(
      "learner",
      {R::row_of("gaussian_nb", "Gaussian Naive Bayes, lossless online", GaussianNb::Params{},
                 by_rows<GaussianNb, SparseGaussianNb>,
                 {.scale_free = true,  // except for the floors
                  .sparse_rows = true,
                  .make_bank = gaussian_nb_bank}),
       sgd_row<Loss::logistic>("logistic", "logistic regression by SGD"),
       R::row_of("logistic_adaptive",
                 "logistic regression that scales features and learning rates itself, with "
                 "forgetting",
                 LogisticAdaptive::Params{}, by_rows<LogisticAdaptive, SparseLogisticAdaptive>,
                 {.scale_free = true, .sparse_rows = true}),
       learner_row<LogisticBins>("logistic_bins",
                                 "additive logistic regression over bins of each feature"),
       sgd_row<Loss::hinge>("linear_svm", "linear support vector machine by SGD"),
       sgd_row<Loss::perceptron>("perceptron",
                                 "the perceptron, which learns from its mistakes only",
                                 {.penalty = SgdLinear::Penalty::none,
                                  .learning_rate = SgdLinear::LearningRate::constant}),
       learner_row<HoeffdingTree>("hoeffding_tree",
                                  "Hoeffding tree (VFDT) of a fixed number of nodes, with Naive "
                                  "Bayes in its leaves")});
  return registry;
}

}  // namespace plumbline::inline v0
