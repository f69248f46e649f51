// Learners of one kind in blocks of 8, which the kernels (kernels/boost.h) train side by side: what
// SerialBank gives with the same learners, to the last bit, in less time.
//
// Large minibatches pass the blocks in chunks of examples, as a run_wavefront over threads (threads/wavefront.h):
// while one block works on a chunk, the block before it works on the next one. Every learner still sees
// every example in order, so that the bits are those of one thread.
#pragma once

#include <array>
#include <vector>

#include "plumbline/ensemble/bank.h"

namespace plumbline {

class SimdBank : public Bank {
 public:
  std::size_t size() const override { return size_; }
  // Not for whole minibatches.
  void train(const Examples& examples, const BoostPass& training) override;

 protected:
  struct alignas(64) Lanes : std::array<double, kernels::kBlock> {};

  SimdBank(std::size_t size, std::size_t features) : features_(features), size_(size) {}

  std::size_t features() const { return features_; }
  void set_features(std::size_t features) { features_ = features; }
  std::size_t blocks() const { return (size_ + kernels::kBlock - 1) / kernels::kBlock; }
  std::size_t learners_of(std::size_t block) const;
  // As kernels take it; those that only read are given the same.
  static double* begin(std::span<const Lanes> lanes);

  // What a kind of learner adds. Blocks may work on threads of their own.
  struct Work {
    std::size_t features;      // that each block looks at, of an example
    bool light = false;        // whether a feature costs much less than one of Naive Bayes
    bool with_columns = true;  // whether `boost` needs the features in pass.examples
  };
  // The examples that are about to be learned.
  virtual Work begin_training(const Batch& batch) = 0;
  // Examples from the one with number `from` on.
  virtual void boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
                     kernels::VoteTime time) = 0;
  // With weights [rows][kBlock].
  virtual void learn(std::size_t block, std::size_t from, const Examples& examples,
                     const double* weights) = 0;
  // All were learned; `known`: by `learn`.
  virtual void end_training(bool known) = 0;

 private:
  struct Split {
    std::size_t threads, chunk;
  };
  Split split(std::size_t rows, std::size_t features, bool light) const;
  void train_block(std::size_t block, const Examples& examples, std::size_t from,
                   const kernels::Columns& columns, const BoostPass& training);

  std::size_t features_;
  std::size_t size_;

  // Scratch of train().
  std::vector<kernels::Columns> columns_;  // of each chunk under way
  std::vector<double> lambda_;
  std::vector<std::vector<Lanes>> weights_;  // of each block
};

// The largest magnitude of these.
double magnitude(std::span<const double> values);

}  // namespace plumbline
