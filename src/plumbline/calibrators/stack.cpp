#include "plumbline/calibrators/stack.h"

#include <algorithm>

namespace plumbline::inline v0 {
namespace {

std::vector<double> start_of(Stack::Start kind, std::size_t columns) {
  const bool even = kind == Stack::Start::even;
  std::vector<double> start(columns, even ? 1 / static_cast<double>(columns) : 0);
  if (!even) start.back() = 1;
  start.push_back(0);
  return start;
}

}  // namespace

std::array<double, OnlineNewton::kMaxWeights> StackInputs::operator()(const Scores& scores,
                                                                      std::size_t row) const {
  std::array<double, OnlineNewton::kMaxWeights> inputs;  // the rest is not initialised
  if (scores.logits.size() >= columns * scores.rows) {
    const double* const logits = scores.logits.data() + row;
    for (std::size_t k = 0; k < columns; ++k) inputs[k] = logits[k * scores.rows];
  } else {
    for (std::size_t k = 0; k < columns; ++k) inputs[k] = scores.logit(k, row);
  }
  inputs[columns] = 1;
  return inputs;
}

template class NewtonCalibrator<StackInputs>;

Stack::Stack(const Params& params, std::size_t columns, Start start)
    : NewtonCalibrator({.columns = std::min(columns, kMaxColumns)}, params.forgetting,
                       {.start = start_of(start, std::min(columns, kMaxColumns)),
                        .ridge = params.ridge,
                        .roughness = {},
                        .nonnegative = 0}),
      columns_(std::min(columns, kMaxColumns)) {}

}  // namespace plumbline::inline v0
