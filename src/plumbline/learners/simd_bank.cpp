#include "plumbline/learners/simd_bank.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

using kernels::kBlock, kernels::lane_of;

// The number of examples per pass along a block of learners; their transposed form stays in the cache.
std::size_t chunk_for(std::size_t features) {
  return std::clamp<std::size_t>(32768 / (features + 1), 32, 256);
}

}  // namespace

double magnitude(std::span<const double> values) {
  std::array<double, 8> largest{};  // eight independent chains hide the latency
  std::size_t i = 0;
  for (; i + largest.size() <= values.size(); i += largest.size()) {
    for (std::size_t k = 0; k < largest.size(); ++k) {
      largest[k] = std::max(largest[k], std::abs(values[i + k]));
    }
  }
  for (; i < values.size(); ++i) largest[0] = std::max(largest[0], std::abs(values[i]));
  return std::ranges::max(largest);
}

double magnitude(const Batch& batch) {
  if (!batch.sparse()) return magnitude(batch.values);
  double largest = 0;
  for (const Entry& entry : batch.entries) largest = std::max(largest, std::abs(entry.value));
  return largest;
}

std::size_t SimdBank::learners_of(std::size_t block) const {
  return std::min(kBlock, size_ - block * kBlock);
}

double* SimdBank::begin(std::span<const Lanes> lanes) {
  return lanes.empty() ? nullptr : const_cast<double*>(lanes.front().data());
}

void SimdBank::grow(std::size_t features) {
  features_ = features;
  resize_blocks();
  refresh();
}

void SimdBank::archive(Archive& archive) {
  double largest = 0;
  for (std::size_t t = 0; t < size(); ++t) {
    archive.scope(learner_scope(t),
                  [&](Archive& inner) { largest = std::max(largest, archive_learner(t, inner)); });
  }
  if (!archive.loading()) return;
  largest_ = largest;
  refresh();
}

void SimdBank::train(const Examples& examples, const BoostPass& training) {
  const std::size_t rows = examples.size();
  largest_ = std::max(largest_, magnitude(examples.x));
  const Work work = begin_training(examples.x);
  const bool votes_precomputed = training.mode.correctness == Correctness::before_batch;
  const std::size_t chunk = chunk_for(work.features);
  lambda_.assign(rows, 1.0);
  if (votes_precomputed) weights_.resize(std::max(weights_.size(), chunk));
  for (std::size_t from = 0; from < rows; from += chunk) {
    columns_.assign(examples.part(from, std::min(chunk, rows - from)),
                    work.with_columns && !votes_precomputed);
    for (std::size_t block = 0; block < blocks(); ++block) {
      train_block(block, examples, from, training);
    }
  }
  end_training(votes_precomputed);
}

void SimdBank::train_block(std::size_t block, const Examples& examples, std::size_t from,
                           const BoostPass& training) {
  const std::size_t learners = learners_of(block), first = block * kBlock;
  Lanes correct{}, wrong{};
  for (std::size_t t = 0; t < learners; ++t) {
    correct[lane_of(t)] = training.correct[first + t];
    wrong[lane_of(t)] = training.wrong[first + t];
  }
  const kernels::Pass pass{.examples = &columns_,
                           .first = training.first_index + from,
                           .stream = kLearnerStream + static_cast<std::uint32_t>(first),
                           .learners = learners,
                           .lambda = lambda_.data() + from,
                           .correct = correct.data(),
                           .wrong = wrong.data(),
                           .rule = training.rule};
  if (training.mode.correctness == Correctness::before_batch) {
    const double* margins = training.margins.data() + first * examples.size() + from;
    double* const weights = weights_.front().data();
    kernels::boost_precomputed(pass, margins, examples.size(), weights);
    learn(block, from, examples.part(from, columns_.rows()), weights);
  } else {
    const bool before = training.mode.correctness == Correctness::before_update;
    boost(block, from, pass, before ? kernels::VoteTime::before : kernels::VoteTime::after);
  }
  for (std::size_t t = 0; t < learners; ++t) {
    training.correct[first + t] = correct[lane_of(t)];
    training.wrong[first + t] = wrong[lane_of(t)];
  }
}

}  // namespace plumbline::inline v0
