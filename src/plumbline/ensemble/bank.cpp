#include "plumbline/ensemble/bank.h"

#include "plumbline/ensemble/gaussian_nb_bank.h"
#include "plumbline/ensemble/serial_bank.h"
#include "plumbline/ensemble/sgd_bank.h"
#include "plumbline/learners/registry.h"

namespace plumbline {

std::unique_ptr<Bank> make_bank(const Spec& learner, std::size_t size, FeatureSpace features,
                                const BankUse& use) {
  const auto make = [&] { return learners().make(learner, features); };
  if (!use.whole_minibatches) {
    const auto one = make();
    if (const auto* nb = dynamic_cast<const GaussianNb*>(one.get()); nb && !features.sparse) {
      return std::make_unique<GaussianNbBank>(nb->params(), size, features.count);
    }
    if (const auto* sgd = dynamic_cast<const SgdLinear*>(one.get()); sgd && !use.repetitions) {
      return std::make_unique<SgdBank>(sgd->params(), size, features);
    }
  }
  return std::make_unique<SerialBank>(size, make);
}

}  // namespace plumbline
