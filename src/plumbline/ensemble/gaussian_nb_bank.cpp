#include "plumbline/ensemble/gaussian_nb_bank.h"

#include <algorithm>
#include <cmath>

#include "plumbline/core/rng.h"

namespace plumbline {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::NbBlock;

// Squares of larger differences, divided by the smallest variance, could become infinite.
constexpr double kHarmless = 1e90;

// Examples that pass a block of learners at a time: few enough to stay in the cache, transposed.
std::size_t chunk_for(std::size_t features) {
  return std::clamp<std::size_t>(32768 / (features + 1), 32, 256);
}

double magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

GaussianNbBank::GaussianNbBank(const GaussianNb::Params& params, std::size_t size,
                               std::size_t features)
    : params_(params), size_(size), features_(features), blocks_((size + kBlock - 1) / kBlock) {
  for (Block& block : blocks_) block.moments.resize(features * NbBlock::kMoments);
  refresh();
}

std::size_t GaussianNbBank::learners_of(std::size_t block) const {
  return std::min(kBlock, size_ - block * kBlock);
}

// The kernels that only read are given the same view.
NbBlock GaussianNbBank::view(const Block& block, double largest) const {
  const auto begin = [](auto& lanes) {
    return lanes.empty() ? nullptr : const_cast<double*>(lanes.front().data());
  };
  return {.features = features_,
          .floor = params_.variance_floor,
          .relative_floor = params_.relative_floor,
          .clamp = largest > kHarmless,
          .moments = begin(block.moments),
          .totals = begin(block.totals)};
}

void GaussianNbBank::refresh() {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    kernels::refresh_nb(learners_of(b), view(blocks_[b], largest_));
  }
}

void GaussianNbBank::train(const Examples& examples, const Training& training) {
  largest_ = std::max(largest_, magnitude(examples.x.values));
  const std::size_t chunk = chunk_for(features_);
  for (std::size_t from = 0; from < examples.size(); from += chunk) {
    train_some(examples, from, std::min(chunk, examples.size() - from), training);
  }
  if (training.mode.correctness == Correctness::before_batch) refresh();
}

void GaussianNbBank::train_some(const Examples& examples, std::size_t from, std::size_t rows,
                                const Training& training) {
  const bool known = training.mode.correctness == Correctness::before_batch;
  const Examples some{
      {examples.x.values.subspan(from * features_, rows * features_), rows, features_},
      examples.y.subspan(from, rows)};
  columns_.assign(some, !known);
  lambda_.assign(rows, 1.0);
  if (known) weights_.resize(rows);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t learners = learners_of(b), first = b * kBlock;
    Lanes correct{}, wrong{};
    for (std::size_t t = 0; t < learners; ++t) {
      correct[lane_of(t)] = training.correct[first + t];
      wrong[lane_of(t)] = training.wrong[first + t];
    }
    const kernels::Pass pass{.examples = &columns_,
                             .first = training.first + from,
                             .stream = kLearnerStream + static_cast<std::uint32_t>(first),
                             .learners = learners,
                             .lambda = lambda_.data(),
                             .correct = correct.data(),
                             .wrong = wrong.data(),
                             .rule = training.rule};
    const NbBlock block = view(blocks_[b], largest_);
    if (known) {
      const double* margins = training.margins.data() + first * examples.size() + from;
      kernels::boost_known(pass, margins, examples.size(), weights_.front().data());
      kernels::learn_nb(some, weights_.front().data(), learners, block);
    } else {
      const bool before = training.mode.correctness == Correctness::before_update;
      kernels::boost_nb(pass, before ? kernels::VoteTime::before : kernels::VoteTime::after, block);
    }
    for (std::size_t t = 0; t < learners; ++t) {
      training.correct[first + t] = correct[lane_of(t)];
      training.wrong[first + t] = wrong[lane_of(t)];
    }
  }
}

void GaussianNbBank::margins(const Batch& batch, std::span<double> margins) const {
  const double largest = std::max(largest_, magnitude(batch.values));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    kernels::margins_nb(batch, learners_of(b), view(blocks_[b], largest),
                        margins.data() + b * kBlock * batch.rows, batch.rows);
  }
}

void GaussianNbBank::grow(std::size_t features) {
  features_ = features;
  for (Block& block : blocks_) block.moments.resize(features * NbBlock::kMoments);
  refresh();
}

void GaussianNbBank::archive(Archive& archive) {
  GaussianNb::State state(features_);
  const auto each = [&](std::size_t t, const auto& exchange) {
    Block& block = blocks_[t / kBlock];
    const std::size_t lane = lane_of(t);
    for (std::size_t c = 0; c < 2; ++c) {
      exchange(state.weight[c], block.totals[NbBlock::weight + c][lane]);
      for (std::size_t j = 0; j < features_; ++j) {
        Lanes* const moments = &block.moments[j * NbBlock::kMoments + c];
        exchange(state.mean[c * features_ + j], moments[NbBlock::mean][lane]);
        exchange(state.variance[c * features_ + j], moments[NbBlock::variance][lane]);
      }
    }
  };
  if (archive.loading()) largest_ = 0;
  for (std::size_t t = 0; t < size_; ++t) {
    each(t, [](double& of_one, double& of_block) { of_one = of_block; });
    archive.scope(learner_scope(t), [&](Archive& inner) { state.archive(inner); });
    if (!archive.loading()) continue;
    each(t, [](double& of_one, double& of_block) { of_block = of_one; });
    largest_ = std::max(largest_, magnitude(state.mean));
  }
  if (archive.loading()) refresh();
}

}  // namespace plumbline
