#include "plumbline/calibrators/anchored.h"

#include <algorithm>

#include "plumbline/math/loss.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

// A weight below e^-40 of the largest changes no probability, and can recover.
constexpr double kLeastOfExperts = -40;

}  // namespace

void Anchored::Params::visit(OptionVisitor& visitor) {
  visitor.real("trust", trust, Range::closed(0.01, 0.99),
               "initial weight of the last score against those that are learned");
  NewtonParams newton{.forgetting = forgetting, .ridge = ridge};
  newton.visit(visitor);
  forgetting = newton.forgetting;
  ridge = newton.ridge;
}

Anchored::Anchored(const Params& params, std::size_t columns)
    : columns_(std::min(columns, Stack::kMaxColumns)),
      all_({.forgetting = params.forgetting, .ridge = params.ridge}, columns_, Stack::Start::last) {
  const double rest = 1 - params.trust;
  PerExpert initial{params.trust, rest, 0, 0};
  if (columns_ > 1) {
    own_.emplace(Stack::Params{.forgetting = params.forgetting, .ridge = params.ridge},
                 columns_ - 1, Stack::Start::last);
    initial = {params.trust, rest / 2, rest / 2 * params.trust, rest / 2 * rest};
  }
  const double largest = *std::ranges::max_element(initial);
  for (std::size_t k = 0; k < kExperts; ++k) {
    log_weights_[k] = initial[k] > 0 ? portable_log(initial[k] / largest) : kLeastOfExperts;
  }
}

Scores Anchored::own(const Scores& scores) const {
  const std::size_t size = (columns_ - 1) * scores.rows;
  return {scores.values.first(size), scores.rows,
          scores.logits.first(std::min(size, scores.logits.size()))};
}

Anchored::PerExpert Anchored::outputs(const Scores& scores, std::size_t row) const {
  PerExpert outputs{scores.column(columns_ - 1)[row], 0, 0, 0};
  all_.apply_row(scores, row, outputs[1]);
  if (!own_) return outputs;
  outputs[2] = scores.column(columns_ - 2)[row];
  own_->apply_row(own(scores), row, outputs[3]);
  return outputs;
}

Anchored::PerExpert Anchored::weights() const {
  PerExpert weights{};
  double sum = 0;
  const std::size_t experts = own_ ? kExperts : 2;
  for (std::size_t k = 0; k < experts; ++k) sum += weights[k] = portable_exp(log_weights_[k]);
  for (double& weight : weights) weight /= sum;
  return weights;
}

double Anchored::average(const PerExpert& outputs, const PerExpert& weights) const {
  if (!fitted_) return outputs[0];
  double sum = 0;
  for (std::size_t k = 0; k < kExperts; ++k) sum += weights[k] * outputs[k];
  return std::clamp(sum, 0.0, 1.0);
}

// The probabilities may be the first column of the scores: each row is read before it is written.
void Anchored::apply(const Scores& scores, std::span<double> probabilities) const {
  const PerExpert current = weights();
  for (std::size_t i = 0; i < scores.rows; ++i) {
    probabilities[i] = average(outputs(scores, i), current);
  }
}

void Anchored::apply_traced(const Scores& scores, std::span<double> probabilities,
                            std::span<double> trace) const {
  const PerExpert current = weights();
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const PerExpert each = outputs(scores, i);
    for (std::size_t k = 0; k < kExperts; ++k) trace[k * scores.rows + i] = each[k];
    probabilities[i] = average(each, current);
  }
}

void Anchored::calibrate(const Scores& scores, std::span<const Label> labels) {
  trace_.resize(kExperts * labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const PerExpert each = outputs(scores, i);
    for (std::size_t k = 0; k < kExperts; ++k) trace_[k * labels.size() + i] = each[k];
  }
  calibrate_traced(scores, labels, trace_);
}

void Anchored::calibrate_traced(const Scores& scores, std::span<const Label> labels,
                                std::span<const double> trace) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t k = 0; k < (own_ ? kExperts : 2); ++k) {
      log_weights_[k] -= log_loss(trace[k * labels.size() + i], labels[i]);
    }
    const auto experts = std::span(log_weights_).first(own_ ? kExperts : 2);
    const double largest = *std::ranges::max_element(experts);
    for (double& weight : experts) weight = std::max(weight - largest, kLeastOfExperts);
  }
  all_.calibrate(scores, labels);
  if (own_) own_->calibrate(own(scores), labels);
  fitted_ = true;
}

std::vector<Calibrator::Part> Anchored::parts() const {
  const PerExpert current = weights();
  std::vector<Part> parts{{"last_score", current[0]}, {"stack", current[1]}};
  if (!own_) return parts;
  parts.push_back({"score_before", current[2]});
  parts.push_back({"stack_without_last", current[3]});
  return parts;
}

void Anchored::archive(Archive& archive) {
  archive.values("log_weights", log_weights_);
  archive.value("fitted", fitted_);
  archive.require_within("log_weights", log_weights_, kLeastOfExperts, 0);
  if (archive.loading() && *std::ranges::max_element(log_weights_) != 0) {
    archive.refuse("log_weights", "must have a maximum of 0");
  }
  archive.scope("all", [&](Archive& inner) { all_.archive(inner); });
  if (own_) archive.scope("own", [&](Archive& inner) { own_->archive(inner); });
}

}  // namespace plumbline::inline v0
