// What kernels/sgd_linear.h says of rows that are mostly zeros: one learner after the other, number by number.
// A row's features lie far apart, but those of a block's learners lie together.
#include <array>

#include "plumbline/kernels/sgd_linear.h"
#include "plumbline/math/rng.h"

namespace plumbline::kernels {
namespace {

// One learner of a block.
class SparseLearner {
 public:
  SparseLearner(const SgdBlock& block, const SparseRows& rows, std::size_t learner)
      : rule_(block.rule),
        features_(block.features),
        rows_(rows),
        weights_(block.weights + lane_of(learner)),
        l1_paid_(block.l1_paid + lane_of(learner)),
        scale_(block.totals[SgdBlock::scale * kBlock + lane_of(learner)]),
        intercept_(block.totals[SgdBlock::intercept * kBlock + lane_of(learner)]),
        step_(block.totals[SgdBlock::step * kBlock + lane_of(learner)]),
        l1_due_(block.totals[SgdBlock::l1_due * kBlock + lane_of(learner)]) {}

  double margin(std::size_t row) const {
    if (!rule_.is_l1()) return paid_margin(row);
    return margin(row, [this](std::size_t at) {
      return rule_.after_l1(weights_[at], l1_due_, l1_paid_[at]);
    });
  }

  void learn(std::size_t row, Label y, double weight) {
    if (rule_.is_l1()) pay_l1(row);
    const double eta = rule_.rate(step_);
    const double update = -eta * rule_.gradient(paid_margin(row), y ? 1 : -1) * weight;
    if (rule_.penalty == SgdPenalty::l2) {
      scale_ *= rule_.shrink(eta);
      if (scale_ < SgdRule::kLeastScale) multiply_out();
    }
    const double along = update / scale_;
    for (const auto& [feature, value] : rows_.all(row)) {
      double& w = weights_[feature * kBlock];
      w = SgdRule::bounded(w + along * value);
    }
    intercept_ = SgdRule::bounded(intercept_ + update);
    if (rule_.is_l1()) l1_due_ = SgdRule::bounded(l1_due_ + eta * rule_.alpha);
    step_ += 1;
  }

 private:
  template <class Weight>
  double margin(std::size_t row, const Weight& weight) const {
    const auto sum = [&](std::span<const SparseRows::Entry> entries) {
      double total = 0;
      for (const auto& [feature, value] : entries) total += weight(feature * kBlock) * value;
      return total;
    };
    return scale_ * (sum(rows_.even(row)) + sum(rows_.odd(row))) + intercept_;
  }

  // If the row's features have paid their l1.
  double paid_margin(std::size_t row) const {
    return margin(row, [this](std::size_t at) { return weights_[at]; });
  }

  void pay_l1(std::size_t row) {
    for (const auto& [feature, value] : rows_.all(row)) {
      double &w = weights_[feature * kBlock], &paid = l1_paid_[feature * kBlock];
      const double after = rule_.after_l1(w, l1_due_, paid);
      paid = rule_.paid_l1(w, after, l1_due_, paid);
      w = after;
    }
  }

  void multiply_out() {
    for (std::size_t j = 0; j < features_; ++j) {
      weights_[j * kBlock] = weights_[j * kBlock] * scale_ + 0;
    }
    scale_ = 1;
  }

  const SgdRule& rule_;
  std::size_t features_;
  const SparseRows& rows_;
  double *weights_, *l1_paid_;
  double &scale_, &intercept_, &step_, &l1_due_;
};

}  // namespace

void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block, const SparseRows& rows,
               std::size_t from) {
  const BoostRule& rule = pass.rule;
  for (std::size_t i = 0; i < pass.examples->rows(); ++i) {
    const bool positive = pass.examples->labels()[i] > 0.5;
    double lambda = pass.lambda[i];
    for (std::size_t t = 0; t < pass.learners; ++t) {
      SparseLearner learner(block, rows, t);
      double weight = lambda;
      if (rule.resample) {
        Rng rng(rule.seed, pass.stream + static_cast<std::uint32_t>(t), pass.first + i);
        weight = static_cast<double>(rng.poisson(lambda));
      }
      bool vote = time == VoteTime::before && learner.margin(from + i) > 0;
      learner.learn(from + i, positive ? 1 : 0, weight);
      if (time == VoteTime::after) vote = learner.margin(from + i) > 0;
      if (rule.resample && !rule.test_unseen && weight == 0) continue;
      double &correct = pass.correct[lane_of(t)], &wrong = pass.wrong[lane_of(t)];
      (vote == positive ? correct : wrong) += lambda;
      lambda = rule.passed_on(lambda, vote == positive, rule.error(correct, wrong));
    }
    pass.lambda[i] = lambda;
  }
}

void learn_sgd(std::span<const Label> labels, const double* weights, std::size_t learners,
               const SgdBlock& block, const SparseRows& rows, std::size_t from) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t t = 0; t < learners; ++t) {
      SparseLearner(block, rows, t).learn(from + i, labels[i], weights[i * kBlock + lane_of(t)]);
    }
  }
}

void margins_sgd(const SparseRows& rows, std::size_t learners, const SgdBlock& block,
                 double* margins, std::size_t stride) {
  using Sums = std::array<double, kBlock>;
  const auto sum = [&](std::span<const SparseRows::Entry> entries) {
    Sums sums{};
    for (const auto& [feature, value] : entries) {
      const double* const weights = block.weights + feature * kBlock;
      for (std::size_t lane = 0; lane < kBlock; ++lane) sums[lane] += weights[lane] * value;
    }
    return sums;
  };
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const Sums even = sum(rows.even(i)), odd = sum(rows.odd(i));
    for (std::size_t t = 0; t < learners; ++t) {
      const std::size_t lane = lane_of(t);
      margins[t * stride + i] =
          block.totals[SgdBlock::scale * kBlock + lane] * (even[lane] + odd[lane]) +
          block.totals[SgdBlock::intercept * kBlock + lane];
    }
  }
}

}  // namespace plumbline::kernels
