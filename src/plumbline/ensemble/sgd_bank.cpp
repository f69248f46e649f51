#include "plumbline/ensemble/sgd_bank.h"

#include <algorithm>
#include <cmath>

#include "plumbline/kernels/sgd_sparse.h"

namespace plumbline {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::SgdBlock;

// With smaller features, and steps of at most 1e27 times them (1e6 eta, 1e12 weight, 1e-9 scale), no number
// of examples that can be counted takes a weight to its bound.
constexpr double kHarmless = 1e90;

}  // namespace

SgdBank::SgdBank(const SgdLinear::Params& params, std::size_t size, FeatureSpace features)
    : SimdBank(size, features.count),
      rule_(params.rule()),
      blocks_(blocks()),
      only_sparse_rows_(features.sparse) {
  const SgdLinear::State first(rule_, 0);
  for (Block& block : blocks_) {
    block.totals[SgdBlock::scale].fill(first.scale);
    block.totals[SgdBlock::step].fill(first.step);
  }
  grow(features.count);
}

SgdBlock SgdBank::view(std::size_t block) const {
  const Block& of = blocks_[block];
  return {.features = features(),
          .rule = rule_,
          .clamp = largest_ > kHarmless,
          .weights = begin(of.weights),
          .l1_paid = begin(of.l1_paid),
          .totals = begin(of.totals)};
}

// Sparse rows pay for their own features as they are asked about.
void SgdBank::settle_all() {
  if (!rule_.is_l1() || only_sparse_rows_) return;
  for (std::size_t b = 0; b < blocks(); ++b) {
    kernels::settle_sgd(view(b), begin(blocks_[b].settled));
  }
}

SimdBank::Work SgdBank::begin_training(const Batch& batch) {
  sparse_ = batch.sparse() ? batch : found_.assign(batch) ? found_.batch() : Batch{};
  if (batch.sparse()) {
    for (const Entry& entry : batch.entries) largest_ = std::max(largest_, std::abs(entry.value));
  } else {
    largest_ = std::max(largest_, magnitude(batch.values));
  }
  return {.features = sparse_.sparse() ? sparse_.entries.size() / batch.rows : batch.columns,
          .light = true,
          .with_columns = !sparse_.sparse()};
}

void SgdBank::boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
                    kernels::VoteTime time) {
  sparse_.sparse() ? kernels::boost_sgd(pass, time, view(block), sparse_, from)
                   : kernels::boost_sgd(pass, time, view(block));
}

void SgdBank::learn(std::size_t block, std::size_t from, const Examples& examples,
                    const double* weights) {
  sparse_.sparse()
      ? kernels::learn_sgd(examples.y, weights, learners_of(block), view(block), sparse_, from)
      : kernels::learn_sgd(examples, weights, learners_of(block), view(block));
}

void SgdBank::end_training(bool) { settle_all(); }

void SgdBank::margins(const Batch& batch, std::span<double> margins) const {
  thread_local kernels::SparseRows found;
  const Batch sparse = batch.sparse() ? batch : found.assign(batch) ? found.batch() : Batch{};
  for (std::size_t b = 0; b < blocks(); ++b) {
    SgdBlock block = view(b);
    double* const of_block = margins.data() + b * kBlock * batch.rows;
    if (rule_.is_l1() && only_sparse_rows_) {
      for (std::size_t t = 0; t < learners_of(b); ++t) {
        const kernels::SparseSgd learner(block, t);
        for (std::size_t i = 0; i < batch.rows; ++i) {
          of_block[t * batch.rows + i] = learner.margin(batch.sparse_row(i));
        }
      }
      continue;
    }
    if (rule_.is_l1()) block.weights = begin(blocks_[b].settled);
    sparse.sparse()
        ? kernels::sparse_margins_sgd(sparse, learners_of(b), block, of_block, batch.rows)
        : kernels::margins_sgd(batch, learners_of(b), block, of_block, batch.rows);
  }
}

void SgdBank::grow(std::size_t features) {
  set_features(features);
  for (Block& block : blocks_) {
    block.weights.resize(features);
    if (!rule_.is_l1()) continue;
    block.l1_paid.resize(features);
    if (!only_sparse_rows_) block.settled.resize(features);
  }
  settle_all();
}

void SgdBank::archive(Archive& archive) {
  SgdLinear::State state(rule_, features());
  const auto each = [&](std::size_t t, const auto& exchange) {
    Block& block = blocks_[t / kBlock];
    const std::size_t lane = lane_of(t);
    exchange(state.scale, block.totals[SgdBlock::scale][lane]);
    exchange(state.intercept, block.totals[SgdBlock::intercept][lane]);
    exchange(state.step, block.totals[SgdBlock::step][lane]);
    exchange(state.l1_due, block.totals[SgdBlock::l1_due][lane]);
    for (std::size_t j = 0; j < features(); ++j) {
      exchange(state.weights[j], block.weights[j][lane]);
      if (rule_.is_l1()) exchange(state.l1_paid[j], block.l1_paid[j][lane]);
    }
  };
  if (archive.loading()) largest_ = 0;
  for (std::size_t t = 0; t < size(); ++t) {
    each(t, [](double& of_one, double& of_block) { of_one = of_block; });
    archive.scope(learner_scope(t), [&](Archive& inner) { state.archive(inner); });
    if (!archive.loading()) continue;
    each(t, [](double& of_one, double& of_block) { of_block = of_one; });
    // Weights that large may have been at their bound.
    largest_ = std::max(largest_, magnitude(state.weights));
  }
  if (archive.loading()) settle_all();
}

}  // namespace plumbline
