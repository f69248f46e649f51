#include "plumbline/ensemble/gaussian_nb_bank.h"

#include <algorithm>

namespace plumbline {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::NbBlock;

// Squares of larger differences, divided by the smallest variance, could become infinite.
constexpr double kHarmless = 1e90;

}  // namespace

GaussianNbBank::GaussianNbBank(const GaussianNb::Params& params, std::size_t size,
                               std::size_t features)
    : SimdBank(size, features), params_(params), blocks_(blocks()) {
  grow(features);
}

NbBlock GaussianNbBank::view(std::size_t block, double largest) const {
  return {.features = features(),
          .floor = params_.variance_floor,
          .relative_floor = params_.relative_floor,
          .clamp = largest > kHarmless,
          .moments = begin(blocks_[block].moments),
          .totals = begin(blocks_[block].totals)};
}

void GaussianNbBank::refresh() {
  for (std::size_t b = 0; b < blocks(); ++b) {
    kernels::refresh_nb(learners_of(b), view(b, largest_));
  }
}

SimdBank::Work GaussianNbBank::begin_training(const Batch& batch) {
  largest_ = std::max(largest_, magnitude(batch.values));
  return {.features = batch.columns};
}

void GaussianNbBank::boost(std::size_t block, std::size_t, const kernels::Pass& pass,
                           kernels::VoteTime time) {
  kernels::boost_nb(pass, time, view(block, largest_));
}

void GaussianNbBank::learn(std::size_t block, std::size_t, const Examples& examples,
                           const double* weights) {
  kernels::learn_nb(examples, weights, learners_of(block), view(block, largest_));
}

void GaussianNbBank::end_training(bool known) {
  if (known) refresh();
}

void GaussianNbBank::margins(const Batch& batch, std::span<double> margins) const {
  const double largest = std::max(largest_, magnitude(batch.values));
  for (std::size_t b = 0; b < blocks(); ++b) {
    kernels::margins_nb(batch, learners_of(b), view(b, largest),
                        margins.data() + b * kBlock * batch.rows, batch.rows);
  }
}

void GaussianNbBank::grow(std::size_t features) {
  set_features(features);
  for (Block& block : blocks_) block.moments.resize(features * NbBlock::kMoments);
  refresh();
}

void GaussianNbBank::archive(Archive& archive) {
  GaussianNb::State state(features());
  const auto each = [&](std::size_t t, const auto& exchange) {
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
  };
  if (archive.loading()) largest_ = 0;
  for (std::size_t t = 0; t < size(); ++t) {
    each(t, [](double& of_one, double& of_block) { of_one = of_block; });
    archive.scope(learner_scope(t), [&](Archive& inner) { state.archive(inner); });
    if (!archive.loading()) continue;
    each(t, [](double& of_one, double& of_block) { of_block = of_one; });
    largest_ = std::max(largest_, magnitude(state.mean));
  }
  if (archive.loading()) refresh();
}

}  // namespace plumbline
