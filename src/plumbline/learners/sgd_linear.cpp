#include "plumbline/learners/sgd_linear.h"

#include <algorithm>
#include <cmath>
#include "plumbline/learners/one_by_one.h"

namespace plumbline::inline v0 {
namespace {

using kernels::SgdPenalty, kernels::SgdRule;

// The largest number of repetitions of an example, which bounds its cost.
constexpr double kMaxRepetitions = 10000;

}  // namespace

void SgdLinear::Params::visit(OptionVisitor& visitor) {
  visitor.choice("penalty", penalty,
                 {{"none", Penalty::none}, {"l2", Penalty::l2}, {"l1", Penalty::l1}},
                 "penalty that keeps the weights small");
  visitor.real("alpha", alpha, Range::closed(1e-12, 1e6),
               "strength of the penalty; the optimal learning rate depends on it too");
  visitor.choice("learning_rate", learning_rate,
                 {{"optimal", LearningRate::optimal}, {"constant", LearningRate::constant}},
                 "optimal falls as 1/(alpha (t0 + t)); constant is eta0");
  visitor.real("eta0", eta0, Range{.low = 0, .high = 1e6, .low_open = true},
               "the constant learning rate");
  visitor.flag("l1_memory", l1_memory,
               "carry over the part of the l1 penalty that exceeds the size of a weight");
}

SgdRule SgdLinear::Params::rule() const {
  const SgdPenalty l1 = l1_memory ? SgdPenalty::l1 : SgdPenalty::l1_forgetful;
  return {.loss = loss,
          .penalty = penalty == Penalty::none ? SgdPenalty::none
                     : penalty == Penalty::l2 ? SgdPenalty::l2
                                              : l1,
          .alpha = alpha,
          .t0 = std::pow(alpha, -0.75),
          .eta0 = learning_rate == LearningRate::constant ? eta0 : 0};
}

SgdLinear::State::State(const SgdRule& rule, std::size_t features)
    : is_l1(rule.is_l1()), weights(features), l1_paid(is_l1 ? features : 0) {}

// The weight of a feature that was always 0 never moved, and has paid no l1 penalty.
void SgdLinear::State::grow(std::size_t features) {
  weights.resize(features);
  if (is_l1) l1_paid.resize(features);
}

SgdLinear::SgdLinear(const Params& params, FeatureSpace features)
    : params_(params), rule_(params.rule()), state_(rule_, features.count) {}

double SgdLinear::paid_margin(Row x) const {
  const double* const weights = state_.weights.data();
  double even = 0, odd = 0;
  std::size_t j = 0;
  for (; j + 2 <= x.size(); j += 2) {
    even += weights[j] * x[j];
    odd += weights[j + 1] * x[j + 1];
  }
  if (j < x.size()) even += weights[j] * x[j];
  return state_.scale * (even + odd) + state_.intercept;
}

double SgdLinear::margin(Row x) const {
  if (!rule_.is_l1()) return paid_margin(x);
  double sums[2] = {0, 0};
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] == 0) continue;
    sums[j % 2] += rule_.after_l1(state_.weights[j], state_.l1_due, state_.l1_paid[j]) * x[j];
  }
  return state_.scale * (sums[0] + sums[1]) + state_.intercept;
}

void SgdLinear::pay_l1(Row x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] == 0) continue;
    double &weight = state_.weights[j], &paid = state_.l1_paid[j];
    const double after = rule_.after_l1(weight, state_.l1_due, paid);
    paid = rule_.paid_l1(weight, after, state_.l1_due, paid);
    weight = after;
  }
}

void SgdLinear::learn(Row x, Label y, double weight) {
  if (rule_.is_l1()) pay_l1(x);
  const double eta = rule_.rate(state_.step);
  const double update = -eta * rule_.gradient(paid_margin(x), y ? 1 : -1) * weight;
  if (rule_.penalty == SgdPenalty::l2) {
    state_.scale *= rule_.shrink(eta);
    if (state_.scale < SgdRule::kLeastScale) {
      // Adding 0 turns -0 into 0.
      for (double& w : state_.weights) w = w * state_.scale + 0;
      state_.scale = 1;
    }
  }
  const double along = update / state_.scale;
  double* const weights = state_.weights.data();
  for (std::size_t j = 0; j < x.size(); ++j) {
    weights[j] = SgdRule::bounded(weights[j] + along * x[j]);
  }
  state_.intercept = SgdRule::bounded(state_.intercept + update);
  if (rule_.is_l1()) state_.l1_due = SgdRule::bounded(state_.l1_due + eta * rule_.alpha);
  state_.step += 1;
}

// The result refers to this learner's state; its const members do not change it.
kernels::SparseSgd SgdLinear::sparse() const {
  State& state = const_cast<State&>(state_);
  return {rule_,
          {.features = state.weights.size(),
           .weights = state.weights.data(),
           .l1_paid = state.l1_paid.data(),
           .stride = 1,
           .scale = state.scale,
           .intercept = state.intercept,
           .step = state.step,
           .l1_due = state.l1_due}};
}

double SgdLinear::margin(const Batch& batch, std::size_t row) const {
  return batch.sparse() ? sparse().margin(batch.sparse_row(row)) : margin(batch.row(row));
}

void SgdLinear::learn_weighted(const Batch& batch, std::size_t row, Label y, double weight,
                               Weighting weighting) {
  const bool once = weighting == Weighting::importance;
  const double times = once ? 1 : std::min(weight, kMaxRepetitions);
  for (double k = 0; k < times; ++k) {
    if (batch.sparse()) {
      sparse().learn(batch.sparse_row(row), y, once ? weight : 1);
    } else {
      learn(batch.row(row), y, once ? weight : 1);
    }
  }
}

void SgdLinear::learn_each(const Examples& examples, std::span<const double> weights,
                           const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x, i); },
      [&](std::size_t i) {
        learn_weighted(examples.x, i, examples.y[i], weights[i], mode.weighting);
      });
}

void SgdLinear::learn_batch(const Examples& examples, std::span<const double> weights,
                            Weighting weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn_weighted(examples.x, i, examples.y[i], weights[i], weighting);
  }
}

void SgdLinear::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch, i);
}

void SgdLinear::State::archive(Archive& archive) {
  constexpr double most = SgdRule::kMaxWeight;
  archive.values("weights", weights);
  archive.value("scale", scale);
  archive.value("intercept", intercept);
  archive.value("step", step);
  if (is_l1) {
    archive.value("l1_due", l1_due);
    archive.values("l1_paid", l1_paid);
  }
  archive.require_within("weights", weights, -most, most);
  archive.require_within("scale", {&scale, 1}, SgdRule::kLeastScale, 1);
  archive.require_within("intercept", {&intercept, 1}, -most, most);
  archive.require_within("step", {&step, 1}, 1, 0x1p62);
  archive.require_within("l1_due", {&l1_due, 1}, 0, most);
  archive.require_within("l1_paid", l1_paid, -most, most);
}

}  // namespace plumbline::inline v0
