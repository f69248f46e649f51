#include "plumbline/calibrators/anchored.h"

#include <algorithm>

#include "plumbline/math/loss.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

// Weights beyond this change no probability.
constexpr double kMostLogOdds = 40;

}  // namespace

void Anchored::Params::visit(OptionVisitor& visitor) {
  visitor.real("trust", trust, Range::closed(0.01, 0.99),
               "initial weight of the last score against the stack of all scores");
  NewtonParams newton{.forgetting = forgetting, .ridge = ridge};
  newton.visit(visitor);
  forgetting = newton.forgetting;
  ridge = newton.ridge;
}

Anchored::Anchored(const Params& params, std::size_t columns)
    : stack_({.forgetting = params.forgetting, .ridge = params.ridge}, columns, Stack::Start::last),
      log_odds_(portable_log(params.trust / (1 - params.trust))) {}

double Anchored::anchor(const Scores& scores, std::size_t row) const {
  return scores.column(stack_.columns_used() - 1)[row];
}

double Anchored::weight() const { return sigmoid(log_odds_); }

void Anchored::apply(const Scores& scores, std::span<double> probabilities) const {
  if (!fitted_) {
    for (std::size_t i = 0; i < scores.rows; ++i) probabilities[i] = anchor(scores, i);
    return;
  }
  const double of_anchor = weight();
  // The probabilities may be the first column of the scores, so each row is complete before they are written.
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const double anchored = anchor(scores, i);
    double stacked = 0;
    stack_.apply_row(scores, i, stacked);
    probabilities[i] = std::clamp(of_anchor * anchored + (1 - of_anchor) * stacked, 0.0, 1.0);
  }
}

void Anchored::apply_traced(const Scores& scores, std::span<double> probabilities,
                            std::span<double> trace) const {
  for (std::size_t i = 0; i < scores.rows; ++i) stack_.apply_row(scores, i, trace[i]);
  apply(scores, probabilities);
}

void Anchored::calibrate(const Scores& scores, std::span<const Label> labels) {
  outputs_.resize(labels.size());
  for (std::size_t i = 0; i < scores.rows; ++i) stack_.apply_row(scores, i, outputs_[i]);
  calibrate_traced(scores, labels, outputs_);
}

void Anchored::calibrate_traced(const Scores& scores, std::span<const Label> labels,
                                std::span<const double> trace) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    log_odds_ += log_loss(trace[i], labels[i]) - log_loss(anchor(scores, i), labels[i]);
    log_odds_ = std::clamp(log_odds_, -kMostLogOdds, kMostLogOdds);
  }
  stack_.calibrate(scores, labels);
  fitted_ = true;
}

std::vector<Calibrator::Part> Anchored::parts() const {
  return {{"last_score", weight()}, {"stack", 1 - weight()}};
}

void Anchored::archive(Archive& archive) {
  archive.value("log_odds", log_odds_);
  archive.value("fitted", fitted_);
  archive.require_within("log_odds", {&log_odds_, 1}, -kMostLogOdds, kMostLogOdds);
  archive.scope("stack", [&](Archive& inner) { stack_.archive(inner); });
}

}  // namespace plumbline::inline v0
