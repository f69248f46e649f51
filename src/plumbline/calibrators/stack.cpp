#include "plumbline/calibrators/stack.h"

#include <algorithm>
#include <array>

#include "plumbline/math/loss.h"

namespace plumbline {
namespace {

std::vector<double> even_start(std::size_t kinds) {
  std::vector<double> start(kinds, 1 / static_cast<double>(kinds));
  start.push_back(0);
  return start;
}

}  // namespace

void Stack::Params::visit(OptionVisitor& visitor) {
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "what the past keeps of its weight with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the beginning, the mean of the logits, in examples' worth of curvature");
}

Stack::Stack(const Params& params, std::size_t kinds)
    : kinds_(std::min(kinds, kMaxKinds)),
      newton_(
          params.forgetting,
          {.start = even_start(kinds_), .ridge = params.ridge, .roughness = {}, .nonnegative = 0}) {
}

Stack::Inputs Stack::inputs(const Scores& scores, std::size_t row) const {
  Inputs inputs;  // filled as far as it is used
  for (std::size_t k = 0; k < kinds_; ++k) inputs[k] = scores.logit(k, row);
  inputs[kinds_] = 1;
  return inputs;
}

void Stack::calibrate(const Scores& scores, std::span<const Label> labels) {
  newton_.learn(labels, [&](std::size_t i) { return inputs(scores, i); });
  fitted_ = true;
}

void Stack::apply(const Scores& scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    probabilities[i] = fitted_ ? sigmoid(newton_.linear(inputs(scores, i))) : scores.kind(0)[i];
  }
}

void Stack::archive(Archive& archive) {
  newton_.archive(archive);
  archive.value("fitted", fitted_);
}

}  // namespace plumbline
