// A weak learner h_t: an online binary classifier that takes weighted examples.
//
// Calls are per minibatch. `learn_each` is the inner loop of the paper's Algorithm 1 for one
// learner. Learner t needs only its own state and the example weights from learner t-1. Passing a
// whole minibatch through one learner after the other therefore gives exactly the results of passing
// one example after the other through all learners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/options.h"
#include "plumbline/registry.h"
#include "plumbline/schema.h"

PLUMBLINE_BEGIN_NAMESPACE

// The meaning of a weight k for a learner that is not lossless.
enum class Weighting {
  importance,   // one update of weight k
  repetitions,  // k updates of weight 1; k is an integer
};

// The time at which a learner votes on an example of its own minibatch: right after learning the
// example, right before, or before learning any of the minibatch.
enum class Correctness { after_update, before_update, before_batch };

struct LearnMode {
  Weighting weighting = Weighting::importance;
  Correctness correctness = Correctness::after_update;
};

class Bank;
struct BankUse;

// Static properties of a learner class: `static constexpr LearnerTraits kTraits`.
struct LearnerTraits {
  // True if multiplying a feature by a constant changes nothing, so that features need no scaling.
  bool scale_free = false;
  // True if rows may be sparse; otherwise absent features become 0 before the learner sees them.
  bool sparse_rows = false;
  // Makes a bank of many such learners that share a SIMD kernel (learners/bank.h). Null if the learner has no such bank.
  // The function returns null if its bank does not support the use.
  std::unique_ptr<Bank> (*make_bank)(const Spec& learner, std::size_t size, FeatureSpace features,
                                     const BankUse& use) = nullptr;
};

class Learner {
 public:
  virtual ~Learner() = default;

  // True if learning example by example gives the same model as learning all examples at once, so that
  // k updates equal one update of weight k.
  virtual bool lossless() const = 0;

  // Learns the examples in order, each with its weight >= 0, and writes the learner's vote on each
  // example right after (or right before) the update. With `before_batch` the caller computes the
  // votes, and `votes` is not written.
  virtual void learn_each(const Examples& examples, std::span<const double> weights,
                          const LearnMode& mode, std::span<Label> votes) = 0;

  // Learns the whole minibatch in one step, as scikit-learn's partial_fit does with sample_weight.
  virtual void learn_batch(const Examples& examples, std::span<const double> weights,
                           Weighting weighting) = 0;

  // Writes the margin of each row: positive on the side of the positive class; log-odds for learners
  // that model them. Finite for every accepted input; 0 before any learning.
  virtual void margins(const Batch& batch, std::span<double> margins) const = 0;

  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  virtual void grow(std::size_t features) = 0;

  virtual void archive(Archive& archive) = 0;
};

// A base class for learners that handle one dense row at a time: the simplest way to write a learner.
class RowLearner : public Learner {
 public:
  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) final;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) final;
  void margins(const Batch& batch, std::span<double> margins) const final;

 protected:
  // The margin of one row; see Learner::margins.
  virtual double margin(std::span<const double> row) const = 0;
  // Learns an example of weight > 0.
  virtual void learn(std::span<const double> row, Label label, double weight) = 0;

 private:
  void learn(const Examples& examples, std::size_t i, double weight, Weighting weighting);
};

// Adapts a learner of dense rows to sparse rows: absent features become 0.
std::unique_ptr<Learner> densified(std::unique_ptr<Learner> learner, std::size_t features);

// The constructor argument is the feature space.
using LearnerRegistry = Registry<Learner, LearnerTraits, FeatureSpace>;
// The built-in learners.
const LearnerRegistry& learners();

// The registry row of a learner class. Without the trait `sparse_rows` the class sees dense rows only.
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

PLUMBLINE_END_NAMESPACE
