#include "plumbline/ensemble/bank.h"

#include "plumbline/ensemble/serial_bank.h"
#include "plumbline/ensemble/simd_bank.h"
#include "plumbline/learners/registry.h"

namespace plumbline {

std::unique_ptr<Bank> make_bank(const Spec& learner, std::size_t size, FeatureSpace features,
                                const BankUse& use) {
  const auto make = [&] { return learners().make(learner, features); };
  if (!use.whole_minibatches) {
    const auto one = make();
    if (const auto* nb = dynamic_cast<const GaussianNb*>(one.get()); nb && !features.sparse) {
      return make_gaussian_nb_bank(nb->params(), size, features.count);
    }
    if (const auto* sgd = dynamic_cast<const SgdLinear*>(one.get()); sgd && !use.repetitions) {
      return make_sgd_bank(sgd->params(), size, features);
    }
  }
  return std::make_unique<SerialBank>(size, make);
}

}  // namespace plumbline
