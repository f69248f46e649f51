// The weak learners h_1, …, h_T of an ensemble, side by side, and how they pass examples along.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plumbline/kernels/boost.h"
#include "plumbline/learner.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

// What all learners say of the rows of a minibatch: their margins, learner after learner.
using Margins = std::vector<double>;

// How a minibatch passes the learners.
struct BoostPass {
  kernels::BoostRule rule;
  LearnMode mode;
  bool whole;                         // each learner takes the whole minibatch at a step
  std::uint64_t first;                // the number of the first example in the stream
  std::span<double> correct, wrong;   // of each learner: weight of its right and wrong answers
  std::span<const double> margins{};  // for `before_batch`
};

class Bank {
 public:
  virtual ~Bank() = default;

  virtual std::size_t size() const = 0;
  virtual bool lossless() const = 0;
  // Algorithm 1 (online_boost.h) over the examples; `training.correct` and `wrong` are updated.
  virtual void train(const Examples& examples, const BoostPass& training) = 0;
  // May be called from several threads at once.
  virtual void margins(const Batch& batch, std::span<double> margins) const = 0;
  // Adds features up to this number, as if they had been 0 in every example so far.
  virtual void grow(std::size_t features) = 0;
  // The state of each learner in a scope of its own, as the learner alone would write it.
  virtual void archive(Archive& archive) = 0;
};

// That of learner t = 0, 1, … in model files.
inline std::string learner_scope(std::size_t t) { return "learner" + std::to_string(t + 1); }

// What is asked of a bank besides Algorithm 1.
struct BankUse {
  bool whole_minibatches = false;  // BoostPass::whole
  bool repetitions = false;        // Weighting::repetitions
};

// The fastest there is for `size` such learners.
std::unique_ptr<Bank> make_bank(const LearnerRegistry& learners, const Spec& learner,
                                std::size_t size, FeatureSpace features, const BankUse& use);

}  // namespace plumbline::inline v0
