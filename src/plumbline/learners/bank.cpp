#include "plumbline/learners/bank.h"

#include "plumbline/learners/serial_bank.h"

namespace plumbline::inline v0 {

std::unique_ptr<Bank> make_bank(const LearnerRegistry& learners, const Spec& learner,
                                std::size_t size, FeatureSpace features, const BankUse& use) {
  const Spec full = learners.complete(learner);
  if (const auto make = learners.find(full.name).traits.make_bank) {
    if (auto bank = make(full, size, features, use)) return bank;
  }
  return std::make_unique<SerialBank>(size, [&] { return learners.make(full, features); });
}

}  // namespace plumbline::inline v0
