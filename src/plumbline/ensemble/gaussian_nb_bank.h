// Gaussian Naive Bayes learners (learners/gaussian_nb.h) in blocks of 8, by kernels/gaussian_nb.h: what
// LearnerBank gives with the same learners, to the last bit, in less time.
#pragma once

#include <array>
#include <vector>

#include "plumbline/ensemble/bank.h"
#include "plumbline/kernels/gaussian_nb.h"
#include "plumbline/learners/gaussian_nb.h"

namespace plumbline {

class GaussianNbBank : public Bank {
 public:
  GaussianNbBank(const GaussianNb::Params& params, std::size_t size, std::size_t features);

  std::size_t size() const override { return size_; }
  bool lossless() const override { return true; }
  // Not for whole minibatches.
  void train(const Examples& examples, const Training& training) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 private:
  struct alignas(64) Lanes : std::array<double, kernels::kBlock> {};

  struct Block {
    std::vector<Lanes> moments;  // [features][NbBlock::kMoments]
    std::array<Lanes, kernels::NbBlock::kTotals> totals{};
  };

  std::size_t learners_of(std::size_t block) const;
  kernels::NbBlock view(const Block& block, double largest) const;
  void train_some(const Examples& examples, std::size_t from, std::size_t rows,
                  const Training& training);
  void refresh();

  GaussianNb::Params params_;
  std::size_t size_;
  std::size_t features_;
  std::vector<Block> blocks_;
  double largest_ = 0;  // magnitude of all that was learned

  // Scratch of train().
  kernels::Columns columns_;
  std::vector<double> lambda_;
  std::vector<Lanes> weights_;
};

}  // namespace plumbline
