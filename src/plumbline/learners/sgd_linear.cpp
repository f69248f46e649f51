#include "plumbline/learners/sgd_linear.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

// With features of at most 1e150, weights within this bound keep every product and sum finite.
constexpr double kMaxWeight = 1e140;

// A weight beyond this is repeated no more often: one example must not take for ever.
constexpr double kMaxRepetitions = 10000;

double bounded(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

double loss_gradient(SgdLinear::Loss loss, double margin, double y) {
  const double z = y * margin;
  switch (loss) {
    case SgdLinear::Loss::logistic:
      return -y / (1 + std::exp(z));
    case SgdLinear::Loss::hinge:
      return z <= 1 ? -y : 0;
    case SgdLinear::Loss::perceptron:
      return z <= 0 ? -y : 0;
  }
  return 0;
}

}  // namespace

void SgdLinear::Params::visit(OptionVisitor& visitor) {
  visitor.choice("penalty", penalty,
                 {{"none", Penalty::none}, {"l2", Penalty::l2}, {"l1", Penalty::l1}},
                 "what keeps the weights small");
  visitor.real("alpha", alpha, Range::closed(1e-12, 1e6),
               "strength of the penalty; the optimal learning rate depends on it too");
  visitor.choice("learning_rate", learning_rate,
                 {{"optimal", LearningRate::optimal}, {"constant", LearningRate::constant}},
                 "optimal falls as 1/(alpha (t0 + t)); constant is eta0");
  visitor.real("eta0", eta0, Range{.low = 0, .high = 1e6, .low_open = true},
               "the constant learning rate");
  visitor.flag("l1_memory", l1_memory,
               "whether an l1 penalty that a weight was too small to pay is paid later");
}

SgdLinear::SgdLinear(const Params& params, std::size_t features)
    : params_(params),
      t0_(std::pow(params.alpha, -0.75)),
      weights_(features),
      l1_paid_(params.penalty == Penalty::l1 ? features : 0) {}

double SgdLinear::learning_rate() const {
  if (params_.learning_rate == LearningRate::constant) return params_.eta0;
  return 1 / (params_.alpha * (t0_ + step_ - 1));
}

double SgdLinear::margin(Row x) const {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += weights_[j] * x[j];
  return sum + intercept_;
}

void SgdLinear::learn(Row x, Label y, double weight) {
  const double eta = learning_rate();
  const double gradient = loss_gradient(params_.loss, margin(x), y ? 1 : -1);
  const double update = -eta * gradient * weight;
  if (params_.penalty == Penalty::l2) {
    const double shrink = std::max(0.0, 1 - eta * params_.alpha);
    for (double& w : weights_) w *= shrink;
  }
  if (update != 0) {
    for (std::size_t j = 0; j < x.size(); ++j) weights_[j] = bounded(weights_[j] + update * x[j]);
    intercept_ = bounded(intercept_ + update);
  }
  if (params_.penalty == Penalty::l1) pay_l1(eta);
  step_ += 1;
}

void SgdLinear::pay_l1(double eta) {
  if (!params_.l1_memory) {
    const double due = eta * params_.alpha;
    for (double& w : weights_) w = w > 0 ? std::max(0.0, w - due) : std::min(0.0, w + due);
    return;
  }
  l1_due_ = bounded(l1_due_ + eta * params_.alpha);
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    const double before = weights_[j];
    if (before > 0) {
      weights_[j] = std::max(0.0, before - (l1_due_ + l1_paid_[j]));
    } else if (before < 0) {
      weights_[j] = std::min(0.0, before + (l1_due_ - l1_paid_[j]));
    }
    l1_paid_[j] = bounded(l1_paid_[j] + weights_[j] - before);
  }
}

void SgdLinear::learn_each(const Examples& examples, std::span<const double> weights,
                           const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples, weights, mode.correctness, votes, [&](Row x) { return margin(x); },
      [&](Row x, Label y, double weight) { learn_weighted(x, y, weight, mode.weighting); });
}

void SgdLinear::learn_batch(const Examples& examples, std::span<const double> weights,
                            Weighting weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn_weighted(examples.x.row(i), examples.y[i], weights[i], weighting);
  }
}

void SgdLinear::learn_weighted(Row x, Label y, double weight, Weighting weighting) {
  if (weighting == Weighting::importance) {
    learn(x, y, weight);
  } else {
    const double repetitions = std::min(weight, kMaxRepetitions);
    for (double k = 0; k < repetitions; ++k) learn(x, y, 1);
  }
}

void SgdLinear::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
}

// A weight whose feature was always 0 never moved, and so owes and has paid no l1 penalty.
void SgdLinear::grow(std::size_t features) {
  weights_.resize(features);
  if (params_.penalty == Penalty::l1) l1_paid_.resize(features);
}

void SgdLinear::archive(Archive& archive) {
  archive.values("weights", weights_);
  archive.value("intercept", intercept_);
  archive.value("step", step_);
  if (params_.penalty == Penalty::l1) {
    archive.value("l1_due", l1_due_);
    archive.values("l1_paid", l1_paid_);
  }
  archive.require_within("weights", weights_, -kMaxWeight, kMaxWeight);
  archive.require_within("intercept", {&intercept_, 1}, -kMaxWeight, kMaxWeight);
  archive.require_within("step", {&step_, 1}, 1, 0x1p62);
  archive.require_within("l1_due", {&l1_due_, 1}, 0, kMaxWeight);
  archive.require_within("l1_paid", l1_paid_, -kMaxWeight, kMaxWeight);
}

}  // namespace plumbline
