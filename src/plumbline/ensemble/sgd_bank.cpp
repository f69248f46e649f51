#include "plumbline/ensemble/sgd_bank.h"

#include <algorithm>

namespace plumbline {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::SgdBlock;

// With smaller features, and steps of at most 1e27 times them (1e6 eta, 1e12 weight, 1e-9 scale), no number
// of examples that can be counted takes a weight to its bound.
constexpr double kHarmless = 1e90;

}  // namespace

SgdBank::SgdBank(const SgdLinear::Params& params, std::size_t size, std::size_t features)
    : SimdBank(size, features), rule_(params.rule()), blocks_(blocks()) {
  const SgdLinear::State first(rule_, 0);
  for (Block& block : blocks_) {
    block.totals[SgdBlock::scale].fill(first.scale);
    block.totals[SgdBlock::step].fill(first.step);
  }
  grow(features);
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

void SgdBank::settle_all() {
  if (!rule_.is_l1()) return;
  for (std::size_t b = 0; b < blocks(); ++b) {
    kernels::settle_sgd(view(b), begin(blocks_[b].settled));
  }
}

SimdBank::Work SgdBank::begin_training(const Batch& batch) {
  largest_ = std::max(largest_, magnitude(batch.values));
  is_sparse_ = sparse_.assign(batch);
  return {.features = is_sparse_ ? sparse_.entries() / batch.rows : batch.columns,
          .light = true,
          .with_columns = !is_sparse_};
}

void SgdBank::boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
                    kernels::VoteTime time) {
  is_sparse_ ? kernels::boost_sgd(pass, time, view(block), sparse_, from)
             : kernels::boost_sgd(pass, time, view(block));
}

void SgdBank::learn(std::size_t block, std::size_t from, const Examples& examples,
                    const double* weights) {
  is_sparse_
      ? kernels::learn_sgd(examples.y, weights, learners_of(block), view(block), sparse_, from)
      : kernels::learn_sgd(examples, weights, learners_of(block), view(block));
}

void SgdBank::end_training(bool) { settle_all(); }

void SgdBank::margins(const Batch& batch, std::span<double> margins) const {
  thread_local kernels::SparseRows sparse;
  const bool is_sparse = sparse.assign(batch);
  for (std::size_t b = 0; b < blocks(); ++b) {
    SgdBlock block = view(b);
    if (rule_.is_l1()) block.weights = begin(blocks_[b].settled);
    double* const said = margins.data() + b * kBlock * batch.rows;
    is_sparse ? kernels::margins_sgd(sparse, learners_of(b), block, said, batch.rows)
              : kernels::margins_sgd(batch, learners_of(b), block, said, batch.rows);
  }
}

void SgdBank::grow(std::size_t features) {
  set_features(features);
  for (Block& block : blocks_) {
    block.weights.resize(features);
    if (!rule_.is_l1()) continue;
    block.l1_paid.resize(features);
    block.settled.resize(features);
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
