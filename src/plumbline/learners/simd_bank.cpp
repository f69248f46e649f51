#include "plumbline/learners/simd_bank.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plumbline/math/rng.h"
#include "plumbline/threads/thread_pool.h"
#include "plumbline/threads/wavefront.h"

namespace plumbline::inline v0 {
namespace {

using kernels::kBlock, kernels::lane_of;

// Chunks that threads have under way.
constexpr std::size_t kUnderWay = 16;
// Chunks shorter than this would lose more by their run-in than threads gain.
constexpr std::size_t kLeastChunk = 25;
// Examples times blocks times features from which on threads pay, some 200 microseconds of work
// (bench/kernels, train_on).
constexpr std::size_t kWorthThreads = 20000, kWorthThreadsIfLight = 60000;

// Examples that pass a block of learners at a time: few enough to stay in the cache, transposed.
std::size_t chunk_for(std::size_t features) {
  return std::clamp<std::size_t>(32768 / (features + 1), 32, 256);
}

}  // namespace

double magnitude(std::span<const double> values) {
  std::array<double, 8> largest{};  // eight of them do not wait for each other
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

// If threads pay, the chunks are so short that all have some.
SimdBank::Split SimdBank::split(std::size_t rows, std::size_t features, bool light) const {
  const std::size_t chunk = chunk_for(features);
  const std::size_t work = rows * blocks() * (features + kBlock);
  if (blocks() == 1 || work < (light ? kWorthThreadsIfLight : kWorthThreads))
    return {.threads = 1, .chunk = chunk};
  const std::size_t threads = std::min(allowed_threads(), blocks());
  if (threads == 1) return {.threads = 1, .chunk = chunk};
  const std::size_t pieces = 2 * threads;
  return {.threads = threads,
          .chunk = std::min(chunk, std::max(kLeastChunk, (rows + pieces - 1) / pieces))};
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
  const Split plan = split(rows, work.features, work.light || votes_precomputed);
  const std::size_t threads = plan.threads, chunk = plan.chunk;
  const std::size_t under_way = threads == 1 ? 1 : kUnderWay;
  columns_.resize(std::max(columns_.size(), under_way));
  lambda_.assign(rows, 1.0);
  if (votes_precomputed) {
    weights_.resize(blocks());
    for (auto& of_block : weights_) of_block.resize(std::max(of_block.size(), chunk));
  }
  for (std::size_t from = 0; from < rows;) {
    std::size_t chunks = 0;
    std::size_t end = from;
    for (; chunks < under_way && end < rows; ++chunks, end = std::min(rows, end + chunk)) {
      columns_[chunks].assign(examples.part(end, std::min(chunk, rows - end)),
                              work.with_columns && !votes_precomputed);
    }
    const auto job = [&](std::size_t block, std::size_t i) {
      train_block(block, examples, from + i * chunk, columns_[i], training);
    };
    run_wavefront(threads, blocks(), chunks, std::ref(job));
    from = end;
  }
  end_training(votes_precomputed);
}

void SimdBank::train_block(std::size_t block, const Examples& examples, std::size_t from,
                           const kernels::Columns& columns, const BoostPass& training) {
  const std::size_t learners = learners_of(block), first = block * kBlock;
  Lanes correct{}, wrong{};
  for (std::size_t t = 0; t < learners; ++t) {
    correct[lane_of(t)] = training.correct[first + t];
    wrong[lane_of(t)] = training.wrong[first + t];
  }
  const kernels::Pass pass{.examples = &columns,
                           .first = training.first + from,
                           .stream = kLearnerStream + static_cast<std::uint32_t>(first),
                           .learners = learners,
                           .lambda = lambda_.data() + from,
                           .correct = correct.data(),
                           .wrong = wrong.data(),
                           .rule = training.rule};
  if (training.mode.correctness == Correctness::before_batch) {
    const double* margins = training.margins.data() + first * examples.size() + from;
    double* const weights = weights_[block].front().data();
    kernels::boost_known(pass, margins, examples.size(), weights);
    learn(block, from, examples.part(from, columns.rows()), weights);
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
