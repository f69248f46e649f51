#include "plumbline/kernels/sgd_sparse.h"

#include <array>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0::kernels {

SparseSgd::SparseSgd(const SgdBlock& block, std::size_t learner)
    : rule_(block.rule),
      state_{.features = block.features,
             .weights = block.weights + lane_of(learner),
             .l1_paid = block.l1_paid == nullptr ? nullptr : block.l1_paid + lane_of(learner),
             .stride = kBlock,
             .scale = block.totals[SgdBlock::scale * kBlock + lane_of(learner)],
             .intercept = block.totals[SgdBlock::intercept * kBlock + lane_of(learner)],
             .step = block.totals[SgdBlock::step * kBlock + lane_of(learner)],
             .l1_due = block.totals[SgdBlock::l1_due * kBlock + lane_of(learner)]} {}

template <class Weight>
double SparseSgd::sum(Row x, const Weight& weight) const {
  // Sums even and odd features separately, as the kernels for dense rows do. Adding 0 to the other sum does not change
  // it, and is faster than selecting a sum in memory.
  double even = 0, odd = 0;
  for (const auto& [feature, value] : x) {
    const double product = weight(feature * state_.stride) * value;
    const bool is_odd = feature % 2 != 0;
    even += is_odd ? 0 : product;
    odd += is_odd ? product : 0;
  }
  return state_.scale * (even + odd) + state_.intercept;
}

double SparseSgd::paid_margin(Row x) const {
  return sum(x, [this](std::size_t at) { return state_.weights[at]; });
}

double SparseSgd::margin(Row x) const {
  if (!rule_.is_l1()) return paid_margin(x);
  return sum(x, [this](std::size_t at) {
    return rule_.after_l1(state_.weights[at], state_.l1_due, state_.l1_paid[at]);
  });
}

void SparseSgd::pay_l1(Row x) {
  for (const auto& [feature, value] : x) {
    double& weight = state_.weights[feature * state_.stride];
    double& paid = state_.l1_paid[feature * state_.stride];
    const double after = rule_.after_l1(weight, state_.l1_due, paid);
    paid = rule_.paid_l1(weight, after, state_.l1_due, paid);
    weight = after;
  }
}

void SparseSgd::multiply_out() {
  for (std::size_t j = 0; j < state_.features; ++j) {
    // Adding 0 turns -0 into 0.
    double& weight = state_.weights[j * state_.stride];
    weight = weight * state_.scale + 0;
  }
  state_.scale = 1;
}

void SparseSgd::learn(Row x, Label y, double weight) {
  if (rule_.is_l1()) pay_l1(x);
  const double eta = rule_.rate(state_.step);
  const double update = -eta * rule_.gradient(paid_margin(x), y ? 1 : -1) * weight;
  if (rule_.penalty == SgdPenalty::l2) {
    state_.scale *= rule_.shrink(eta);
    if (state_.scale < SgdRule::kLeastScale) multiply_out();
  }
  const double along = update / state_.scale;
  for (const auto& [feature, value] : x) {
    double& w = state_.weights[feature * state_.stride];
    w = SgdRule::bounded(w + along * value);
  }
  state_.intercept = SgdRule::bounded(state_.intercept + update);
  if (rule_.is_l1()) state_.l1_due = SgdRule::bounded(state_.l1_due + eta * rule_.alpha);
  state_.step += 1;
}

void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block, const Batch& rows,
               std::size_t from) {
  const BoostRule& rule = pass.rule;
  for (std::size_t i = 0; i < pass.examples->rows(); ++i) {
    const SparseSgd::Row x = rows.sparse_row(from + i);
    const bool positive = pass.examples->labels()[i] > 0.5;
    double lambda = pass.lambda[i];
    for (std::size_t t = 0; t < pass.learners; ++t) {
      SparseSgd learner(block, t);
      double weight = lambda;
      if (rule.resample) {
        Rng rng(rule.seed, pass.stream + static_cast<std::uint32_t>(t), pass.first + i);
        weight = static_cast<double>(rng.poisson(lambda));
      }
      bool vote = time == VoteTime::before && learner.margin(x) > 0;
      learner.learn(x, positive ? 1 : 0, weight);
      if (time == VoteTime::after) vote = learner.margin(x) > 0;
      if (rule.resample && !rule.test_unseen && weight == 0) continue;
      double &correct = pass.correct[lane_of(t)], &wrong = pass.wrong[lane_of(t)];
      (vote == positive ? correct : wrong) += lambda;
      lambda = rule.passed_on(lambda, vote == positive, rule.error(correct, wrong));
    }
    pass.lambda[i] = lambda;
  }
}

void learn_sgd(std::span<const Label> labels, const double* weights, std::size_t learners,
               const SgdBlock& block, const Batch& rows, std::size_t from) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t t = 0; t < learners; ++t) {
      SparseSgd(block, t).learn(rows.sparse_row(from + i), labels[i],
                                weights[i * kBlock + lane_of(t)]);
    }
  }
}

void sparse_margins_sgd(const Batch& rows, std::size_t learners, const SgdBlock& block,
                        double* margins, std::size_t stride) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::array<std::array<double, kBlock>, 2> sums{};  // over even and odd features
    for (const auto& [feature, value] : rows.sparse_row(i)) {
      const double* const weights = block.weights + feature * kBlock;
      auto& of = sums[feature % 2];
      for (std::size_t lane = 0; lane < kBlock; ++lane) of[lane] += weights[lane] * value;
    }
    for (std::size_t t = 0; t < learners; ++t) {
      const std::size_t lane = lane_of(t);
      margins[t * stride + i] =
          block.totals[SgdBlock::scale * kBlock + lane] * (sums[0][lane] + sums[1][lane]) +
          block.totals[SgdBlock::intercept * kBlock + lane];
    }
  }
}

}  // namespace plumbline::inline v0::kernels
