// The table of weak learners; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/data/schema.h"
#include "plumbline/learners/learner.h"

namespace plumbline {

// Learners are made for their features.
using LearnerRegistry = Registry<Learner, LearnerTraits, FeatureSpace>;
const LearnerRegistry& learners();

// The row for a class of learners. One without the trait `sparse_rows` is given dense rows alone.
template <class Member>
LearnerRegistry::Row learner_row(const std::string& name, const std::string& summary,
                                 typename Member::Params defaults = {}) {
  LearnerTraits traits{};
  if constexpr (requires { Member::kTraits; }) traits = Member::kTraits;
  return LearnerRegistry::row_of(
      name, summary, defaults,
      [traits](const typename Member::Params& params, FeatureSpace features) {
        std::unique_ptr<Learner> made = std::make_unique<Member>(params, features);
        return features.sparse && !traits.sparse_rows ? densified(std::move(made), features.count)
                                                      : std::move(made);
      },
      traits);
}

}  // namespace plumbline
