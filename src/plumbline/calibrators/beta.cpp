#include "plumbline/calibrators/beta.h"

#include <array>
#include <cmath>

#include "plumbline/data/score_logit.h"
#include "plumbline/math/loss.h"

namespace plumbline {
namespace {

std::array<double, 3> inputs(double score) {
  const double s = clipped_score(score);
  return {std::log(s), -std::log(1 - s), 1};
}

}  // namespace

void Beta::Params::visit(OptionVisitor& visitor) {
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "what the past keeps of its weight with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the beginning, the raw score, in examples' worth of curvature");
}

Beta::Beta(const Params& params)
    : newton_(params.forgetting,
              {.start = {1, 1, 0}, .ridge = params.ridge, .roughness = {}, .nonnegative = 2}) {}

void Beta::calibrate(std::span<const double> scores, std::span<const Label> labels) {
  newton_.learn(labels, [&](std::size_t i) { return inputs(scores[i]); });
  fitted_ = true;
}

void Beta::apply(std::span<const double> scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    probabilities[i] = fitted_ ? sigmoid(newton_.linear(inputs(scores[i]))) : scores[i];
  }
}

void Beta::archive(Archive& archive) {
  newton_.archive(archive);
  archive.value("fitted", fitted_);
}

}  // namespace plumbline
