#include "plumbline/calibrators/beta.h"

#include <cmath>

#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {

std::array<double, 3> BetaInputs::operator()(const Scores& scores, std::size_t row) const {
  const double s = clipped_score(scores.column(0)[row]);
  return {std::log(s), -std::log(1 - s), 1};
}

template class NewtonCalibrator<BetaInputs>;

Beta::Beta(const Params& params)
    : NewtonCalibrator(
          {}, params.forgetting,
          {.start = {1, 1, 0}, .ridge = params.ridge, .roughness = {}, .nonnegative = 2}) {}

}  // namespace plumbline::inline v0
