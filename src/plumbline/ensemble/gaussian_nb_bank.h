// Gaussian Naive Bayes learners (learners/gaussian_nb.h) in blocks, by kernels/gaussian_nb.h.
#pragma once

#include <array>
#include <vector>

#include "plumbline/ensemble/simd_bank.h"
#include "plumbline/kernels/gaussian_nb.h"
#include "plumbline/learners/gaussian_nb.h"

namespace plumbline {

class GaussianNbBank : public SimdBank {
 public:
  GaussianNbBank(const GaussianNb::Params& params, std::size_t size, std::size_t features);

  bool lossless() const override { return true; }
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
    std::vector<Lanes> moments;  // [features][NbBlock::kMoments]
    std::array<Lanes, kernels::NbBlock::kTotals> totals{};
  };

  kernels::NbBlock view(std::size_t block, double largest) const;
  void refresh();

  GaussianNb::Params params_;
  std::vector<Block> blocks_;
  double largest_ = 0;  // magnitude of all that was learned
};

}  // namespace plumbline
