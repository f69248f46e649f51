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
#include <vector>

#include "plumbline/base/archive.h"
#include "plumbline/base/options.h"
#include "plumbline/data/batch.h"
#include "plumbline/data/schema.h"

namespace plumbline {

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

// A learner of dense rows that is given sparse ones: absent features become 0.
std::unique_ptr<Learner> densified(std::unique_ptr<Learner> learner, std::size_t features);

// The class that a margin stands for. A tie is negative, as in scikit-learn.
inline Label vote(double margin) { return margin > 0 ? 1 : 0; }

// The loop of `learn_each` for a learner that gives the margin of row i, and learns example i.
template <class Margin, class Learn>
void learn_one_by_one(std::size_t examples, Correctness correctness, std::span<Label> votes,
                      const Margin& margin, const Learn& learn) {
  for (std::size_t i = 0; i < examples; ++i) {
    if (correctness == Correctness::before_update) votes[i] = vote(margin(i));
    learn(i);
    if (correctness == Correctness::after_update) votes[i] = vote(margin(i));
  }
}

}  // namespace plumbline
