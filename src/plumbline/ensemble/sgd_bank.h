// Linear learners by gradient descent (learners/sgd_linear.h) in blocks, by kernels/sgd_linear.h. Weights
// are importances: not for repetitions. Of minibatches that are mostly zeros only the rest is looked at.
#pragma once

#include <array>
#include <vector>

#include "plumbline/ensemble/simd_bank.h"
#include "plumbline/kernels/sgd_linear.h"
#include "plumbline/learners/sgd_linear.h"

namespace plumbline {

class SgdBank : public SimdBank {
 public:
  SgdBank(const SgdLinear::Params& params, std::size_t size, FeatureSpace features);

  bool lossless() const override { return false; }
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 protected:
  Work begin_training(const Batch& batch) override;
  void boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
             kernels::VoteTime time) override;
  void learn(std::size_t block, std::size_t from, const Examples& examples,
             const double* weights) override;
  void end_training(bool known) override;

 private:
  struct Block {
    std::vector<Lanes> weights, l1_paid;
    std::vector<Lanes> settled;  // cache, with l1: the weights after paying
    std::array<Lanes, kernels::SgdBlock::kTotals> totals{};
  };

  kernels::SgdBlock view(std::size_t block) const;
  void settle_all();

  kernels::SgdRule rule_;
  std::vector<Block> blocks_;
  double largest_ = 0;  // magnitude of all that was learned

  bool only_sparse_rows_;
  // Of the minibatch in training: its sparse rows, if it has them or is mostly zeros.
  kernels::SparseRows found_;
  Batch sparse_;
};

}  // namespace plumbline
