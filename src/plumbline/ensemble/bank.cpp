#include "plumbline/ensemble/bank.h"

#include "plumbline/ensemble/gaussian_nb_bank.h"
#include "plumbline/ensemble/learner_bank.h"
#include "plumbline/learners/registry.h"

namespace plumbline {

std::unique_ptr<Bank> make_bank(const Spec& learner, std::size_t size, std::size_t features,
                                bool whole_minibatches) {
  if (learner.name == "gaussian_nb" && !whole_minibatches) {
    const auto params = read_params<GaussianNb::Params>(learner, "learner 'gaussian_nb'");
    return std::make_unique<GaussianNbBank>(params, size, features);
  }
  return std::make_unique<LearnerBank>(size, [&] { return learners().make(learner, features); });
}

}  // namespace plumbline
