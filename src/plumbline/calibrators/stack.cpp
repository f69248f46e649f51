#include "plumbline/calibrators/stack.h"

#include <algorithm>

namespace plumbline::inline v0 {
namespace {

std::vector<double> even_start(std::size_t columns) {
  std::vector<double> start(columns, 1 / static_cast<double>(columns));
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

Stack::Stack(const Params& params, std::size_t columns)
    : NewtonCalibrator({.columns = std::min(columns, kMaxColumns)}, params.forgetting,
                       {.start = even_start(std::min(columns, kMaxColumns)),
                        .ridge = params.ridge,
                        .roughness = {},
                        .nonnegative = 0}),
      columns_(std::min(columns, kMaxColumns)) {}

}  // namespace plumbline::inline v0
