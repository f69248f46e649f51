// A bank holds the weak learners h_1, …, h_T of an ensemble and passes examples along them.
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

// The margins of the rows of a minibatch, learner after learner.
using Margins = std::vector<double>;

// Arguments of a pass of a minibatch along the learners.
struct BoostPass {
  kernels::BoostRule rule;
  LearnMode mode;
  bool whole_minibatches;             // each learner takes the whole minibatch in one step
  std::uint64_t first_index;          // the index of the first example in the stream
  std::span<double> correct, wrong;   // per learner: the weights of its right and wrong answers
  std::span<const double> margins{};  // for `before_batch`
};

class Bank {
 public:
  virtual ~Bank() = default;

  virtual std::size_t size() const = 0;
  virtual bool lossless() const = 0;
  // Runs Algorithm 1 (online_boost.h) over the examples; updates `training.correct` and `training.wrong`.
  virtual void train(const Examples& examples, const BoostPass& training) = 0;
  // May be called concurrently.
  virtual void margins(const Batch& batch, std::span<double> margins) const = 0;
  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  virtual void grow(std::size_t features) = 0;
  // Archives the state of each learner in a scope of its own, in the format of the single learner.
  virtual void archive(Archive& archive) = 0;
};

// The scope of learner t = 0, 1, … in model files.
inline std::string learner_scope(std::size_t t) { return "learner" + std::to_string(t + 1); }

// Requirements on a bank besides Algorithm 1.
struct BankUse {
  bool whole_minibatches = false;  // BoostPass::whole_minibatches
  bool repetitions = false;        // Weighting::repetitions
};

// The fastest bank for `size` learners of this kind.
std::unique_ptr<Bank> make_bank(const LearnerRegistry& learners, const Spec& learner,
                                std::size_t size, FeatureSpace features, const BankUse& use);

}  // namespace plumbline::inline v0
