// A weak learner h_t: an online binary classifier that takes weighted examples.
//
// Calls are per minibatch. `learn_each` is the inner loop of the paper's Algorithm 1 for one
// learner: since learner t needs only its own state and the weights that learner t-1 left behind,
// passing a whole minibatch through one learner after the other gives exactly the results of
// passing one example after the other through all of them.
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

// What a weight k means to a learner that is not lossless.
enum class Weighting {
  importance,   // one update of weight k
  repetitions,  // k updates of weight 1; k is a whole number
};

// When a learner's vote on an example of its own minibatch is taken: right after it learned the
// example, right before, or before it learned any of the minibatch.
enum class Correctness { after_update, before_update, before_batch };

struct LearnMode {
  Weighting weighting = Weighting::importance;
  Correctness correctness = Correctness::after_update;
};

class Bank;
struct BankUse;

// What is known of a kind of learner without making one: `static constexpr LearnerTraits kTraits`.
struct LearnerTraits {
  // Whether multiplying a feature by a constant changes nothing, so that features need no scaling.
  bool scale_free = false;
  // Whether rows may be sparse; else absent features become 0 before the learner sees them.
  bool sparse_rows = false;
  // Many such learners at once, by a kernel (learners/bank.h); null if there is none, or none for that use.
  std::unique_ptr<Bank> (*make_bank)(const Spec& learner, std::size_t size, FeatureSpace features,
                                     const BankUse& use) = nullptr;
};

class Learner {
 public:
  virtual ~Learner() = default;

  // Whether learning example by example gives the model of learning all at once, so that k updates
  // equal one update of weight k.
  virtual bool lossless() const = 0;

  // Learns the examples in order, each with its weight >= 0, and writes what the learner says of
  // each of them right after (or right before) its own update. With `before_batch` the votes are the
  // caller's affair, and are left alone.
  virtual void learn_each(const Examples& examples, std::span<const double> weights,
                          const LearnMode& mode, std::span<Label> votes) = 0;

  // Learns the whole minibatch in one step, as scikit-learn's partial_fit does with sample_weight.
  virtual void learn_batch(const Examples& examples, std::span<const double> weights,
                           Weighting weighting) = 0;

  // How far each row lies on the positive side: a log-odds for learners that model one. Finite for
  // every accepted input; 0 before any learning.
  virtual void margins(const Batch& batch, std::span<double> margins) const = 0;

  // Adds features up to this number; as if they had been 0 in every example so far.
  virtual void grow(std::size_t features) = 0;

  virtual void archive(Archive& archive) = 0;
};

// A learner of one dense row at a time; the minibatches are taken apart for it. The simplest way to write one.
class RowLearner : public Learner {
 public:
  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) final;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) final;
  void margins(const Batch& batch, std::span<double> margins) const final;

 protected:
  // As Learner::margins says, of one row.
  virtual double margin(std::span<const double> row) const = 0;
  // Learns an example of some weight > 0.
  virtual void learn(std::span<const double> row, Label label, double weight) = 0;

 private:
  void learn(const Examples& examples, std::size_t i, double weight, Weighting weighting);
};

// A learner of dense rows that is given sparse ones: absent features become 0.
std::unique_ptr<Learner> densified(std::unique_ptr<Learner> learner, std::size_t features);

// Learners are made for their features.
using LearnerRegistry = Registry<Learner, LearnerTraits, FeatureSpace>;
// Those of the library.
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

PLUMBLINE_END_NAMESPACE
