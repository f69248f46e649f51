// A bank of learners of one kind in blocks of 8, which the kernels (kernels/boost.h) train in parallel
// lanes. The results equal those of SerialBank to the bit, in less time.
//
// Large minibatches pass the blocks in chunks of examples that stay in the cache.
//
// Each number of a learner's state is one lane of 8 numbers of its block. Derived classes hold the blocks.
#pragma once

#include <array>
#include <vector>

#include "plumbline/learners/bank.h"
#include "plumbline/learners/gaussian_nb.h"
#include "plumbline/learners/sgd_linear.h"

namespace plumbline::inline v0 {

class SimdBank : public Bank {
 public:
  std::size_t size() const override { return size_; }
  // Does not support whole minibatches.
  void train(const Examples& examples, const BoostPass& training) override;
  void grow(std::size_t features) final;
  void archive(Archive& archive) final;

 protected:
  struct alignas(64) Lanes : std::array<double, kernels::kBlock> {};

  explicit SimdBank(std::size_t size) : size_(size) {}

  std::size_t features() const { return features_; }
  std::size_t blocks() const { return (size_ + kernels::kBlock - 1) / kernels::kBlock; }
  std::size_t learners_of(std::size_t block) const;
  // The largest magnitude of features and state so far.
  double largest() const { return largest_; }
  // The pointer that kernels take; kernels that only read take a non-const pointer too.
  static double* begin(std::span<const Lanes> lanes);

  // Derived classes implement the following.

  // Resizes the blocks to features(); new features are 0.
  virtual void resize_blocks() = 0;
  // Recomputes all caches from the state.
  virtual void refresh() = 0;
  // Archives the state of learner t with `archive_lane`. Returns the largest magnitude loaded.
  virtual double archive_learner(std::size_t t, Archive& archive) = 0;
  // Saves or loads the state of one learner in the format of the single learner. `visit` calls its
  // argument with each number of the state and the corresponding number in the block.
  template <class State, class Visit>
  static void archive_lane(State& state, Archive& archive, const Visit& visit) {
    visit([](double& of_learner, double& of_lane) { of_learner = of_lane; });
    state.archive(archive);
    if (archive.loading()) visit([](double& of_learner, double& of_lane) { of_lane = of_learner; });
  }

  struct Work {
    std::size_t features;      // per example and block
    bool with_columns = true;  // `boost` needs the features in pass.examples
  };
  // Called with the examples before they are learned.
  virtual Work begin_training(const Batch& batch) = 0;
  // Trains the block on the examples from index `from` on.
  virtual void boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
                     kernels::VoteTime time) = 0;
  // Learns the examples with weights [rows][kBlock].
  virtual void learn(std::size_t block, std::size_t from, const Examples& examples,
                     const double* weights) = 0;
  // Called after the last block. `votes_precomputed` is true if `learn` was used instead of `boost`.
  virtual void end_training(bool votes_precomputed) = 0;

 private:
  void train_block(std::size_t block, const Examples& examples, std::size_t from,
                   const BoostPass& training);

  std::size_t features_ = 0;
  std::size_t size_;
  double largest_ = 0;

  // Scratch for train().
  kernels::Columns columns_;  // of the chunk
  std::vector<double> lambda_;
  std::vector<Lanes> weights_;  // of the chunk, for the block
};

// The largest magnitude of the values.
double magnitude(std::span<const double> values);
double magnitude(const Batch& batch);

std::unique_ptr<Bank> make_gaussian_nb_bank(const GaussianNb::Params& params, std::size_t size,
                                            std::size_t features);
// Weights are importances; repetitions are not supported.
std::unique_ptr<Bank> make_sgd_bank(const SgdLinear::Params& params, std::size_t size,
                                    FeatureSpace features);

}  // namespace plumbline::inline v0
