// A bank of Gaussian Naive Bayes learners (learners/gaussian_nb.h) that uses kernels/gaussian_nb.h.

#include "plumbline/kernels/gaussian_nb.h"

#include <algorithm>

#include "plumbline/learners/simd_bank.h"

namespace plumbline::inline v0 {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::NbBlock;

// Squares of larger differences, divided by the smallest variance, could be infinite.
constexpr double kHarmless = 1e90;

class GaussianNbBank final : public SimdBank {
 public:
  GaussianNbBank(const GaussianNb::Params& params, std::size_t size, std::size_t features)
      : SimdBank(size), params_(params), blocks_(blocks()) {
    grow(features);
  }

  bool lossless() const override { return true; }

  void margins(const Batch& batch, std::span<double> margins) const override {
    const double most = std::max(largest(), magnitude(batch.values));
    for (std::size_t b = 0; b < blocks(); ++b) {
      kernels::margins_nb(batch, learners_of(b), view(b, most),
                          margins.data() + b * kBlock * batch.rows, batch.rows);
    }
  }

 private:
  struct Block {
    std::vector<Lanes> moments;  // [features][NbBlock::kMoments]
    std::array<Lanes, NbBlock::kTotals> totals{};
  };

  NbBlock view(std::size_t block, double most) const {
    return {.features = features(),
            .floor = params_.variance_floor,
            .relative_floor = params_.relative_floor,
            .clamp = most > kHarmless,
            .moments = begin(blocks_[block].moments),
            .totals = begin(blocks_[block].totals)};
  }

  void resize_blocks() override {
    for (Block& block : blocks_) block.moments.resize(features() * NbBlock::kMoments);
  }

  void refresh() override {
    for (std::size_t b = 0; b < blocks(); ++b) {
      kernels::refresh_nb(learners_of(b), view(b, largest()));
    }
  }

  Work begin_training(const Batch& batch) override { return {.features = batch.columns}; }

  void boost(std::size_t block, std::size_t, const kernels::Pass& pass,
             kernels::VoteTime time) override {
    kernels::boost_nb(pass, time, view(block, largest()));
  }

  void learn(std::size_t block, std::size_t, const Examples& examples,
             const double* weights) override {
    kernels::learn_nb(examples, weights, learners_of(block), view(block, largest()));
  }

  void end_training(bool votes_precomputed) override {
    if (votes_precomputed) refresh();
  }

  double archive_learner(std::size_t t, Archive& archive) override {
    GaussianNb::State state(features());
    archive_lane(state, archive, [&](const auto& exchange) {
      Block& block = blocks_[t / kBlock];
      const std::size_t lane = lane_of(t);
      for (std::size_t c = 0; c < 2; ++c) {
        exchange(state.weight[c], block.totals[NbBlock::weight + c][lane]);
        for (std::size_t j = 0; j < features(); ++j) {
          Lanes* const moments = &block.moments[j * NbBlock::kMoments + c];
          exchange(state.mean[c * features() + j], moments[NbBlock::mean][lane]);
          exchange(state.variance[c * features() + j], moments[NbBlock::variance][lane]);
        }
      }
    });
    return magnitude(state.mean);
  }

  GaussianNb::Params params_;
  std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<Bank> make_gaussian_nb_bank(const GaussianNb::Params& params, std::size_t size,
                                            std::size_t features) {
  return std::make_unique<GaussianNbBank>(params, size, features);
}

}  // namespace plumbline::inline v0
