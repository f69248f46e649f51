#include "plumbline/calibrators/platt_newton.h"

#include <array>

#include "plumbline/calibrators/on_drift.h"
#include "plumbline/calibrators/score_logit.h"
#include "plumbline/core/loss.h"

namespace plumbline {
namespace {

std::array<double, 2> inputs(double score) { return {score_logit(score), 1}; }

}  // namespace

void PlattNewton::Params::visit(OptionVisitor& visitor) {
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "what the past keeps of its weight with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the beginning, the raw score, in examples' worth of curvature");
  visit_on_drift(visitor, on_drift);
}

PlattNewton::PlattNewton(const Params& params)
    : newton_(params.forgetting,
              {.start = {1, 0}, .ridge = params.ridge, .roughness = {}, .nonnegative = 0}),
      on_drift_(params.on_drift) {}

void PlattNewton::calibrate(std::span<const double> scores, std::span<const Label> labels) {
  newton_.learn(labels, [&](std::size_t i) { return inputs(scores[i]); });
  fitted_ = true;
}

void PlattNewton::apply(std::span<const double> scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    probabilities[i] = fitted_ ? sigmoid(newton_.linear(inputs(scores[i]))) : scores[i];
  }
}

void PlattNewton::archive(Archive& archive) {
  newton_.archive(archive);
  archive.value("fitted", fitted_);
}

}  // namespace plumbline
