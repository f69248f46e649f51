// A bank of linear learners (learners/sgd_linear.h) that uses kernels/sgd_linear.h. Minibatches that are mostly zeros
// are learned as sparse rows.

#include "plumbline/kernels/sgd_linear.h"

#include <algorithm>

#include "plumbline/kernels/sgd_sparse.h"
#include "plumbline/learners/simd_bank.h"

namespace plumbline::inline v0 {
namespace {

using kernels::kBlock, kernels::lane_of, kernels::SgdBlock;

// With smaller features, and steps of at most 1e27 times them (1e6 eta, 1e12 weight, 1e-9 scale), no
// realistic number of examples takes a weight to its bound.
constexpr double kHarmlessValue = 1e90;

class SgdBank final : public SimdBank {
 public:
  SgdBank(const SgdLinear::Params& params, std::size_t size, FeatureSpace features)
      : SimdBank(size),
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

  bool lossless() const override { return false; }

  void margins(const Batch& batch, std::span<double> margins) const override {
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

 private:
  struct Block {
    std::vector<Lanes> weights, l1_paid;
    std::vector<Lanes> settled;  // cache, with l1: the weights after paying the penalty
    std::array<Lanes, SgdBlock::kTotals> totals{};
  };

  SgdBlock view(std::size_t block) const {
    const Block& of = blocks_[block];
    return {.features = features(),
            .rule = rule_,
            .clamp = largest() > kHarmlessValue,
            .weights = begin(of.weights),
            .l1_paid = begin(of.l1_paid),
            .totals = begin(of.totals)};
  }

  void resize_blocks() override {
    for (Block& block : blocks_) {
      block.weights.resize(features());
      if (!rule_.is_l1()) continue;
      block.l1_paid.resize(features());
      if (!only_sparse_rows_) block.settled.resize(features());
    }
  }

  // With sparse rows, the penalty of the present features is paid when their margin is computed.
  void refresh() override {
    if (!rule_.is_l1() || only_sparse_rows_) return;
    for (std::size_t b = 0; b < blocks(); ++b) {
      kernels::settle_sgd(view(b), begin(blocks_[b].settled));
    }
  }

  Work begin_training(const Batch& batch) override {
    sparse_ = batch.sparse() ? batch : found_.assign(batch) ? found_.batch() : Batch{};
    return {.features = sparse_.sparse() ? sparse_.entries.size() / batch.rows : batch.columns,
            .with_columns = !sparse_.sparse()};
  }

  void boost(std::size_t block, std::size_t from, const kernels::Pass& pass,
             kernels::VoteTime time) override {
    sparse_.sparse() ? kernels::boost_sgd(pass, time, view(block), sparse_, from)
                     : kernels::boost_sgd(pass, time, view(block));
  }

  void learn(std::size_t block, std::size_t from, const Examples& examples,
             const double* weights) override {
    sparse_.sparse()
        ? kernels::learn_sgd(examples.y, weights, learners_of(block), view(block), sparse_, from)
        : kernels::learn_sgd(examples, weights, learners_of(block), view(block));
  }

  void end_training(bool) override { refresh(); }

  double archive_learner(std::size_t t, Archive& archive) override {
    SgdLinear::State state(rule_, features());
    archive_lane(state, archive, [&](const auto& exchange) {
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
    });
    return magnitude(state.weights);  // large weights may have been at their bound
  }

  kernels::SgdRule rule_;
  std::vector<Block> blocks_;

  bool only_sparse_rows_;
  // The sparse rows of the minibatch in training, if it is sparse or mostly zeros.
  kernels::SparseRows found_;
  Batch sparse_;
};

}  // namespace

std::unique_ptr<Bank> make_sgd_bank(const SgdLinear::Params& params, std::size_t size,
                                    FeatureSpace features) {
  return std::make_unique<SgdBank>(params, size, features);
}

}  // namespace plumbline::inline v0
