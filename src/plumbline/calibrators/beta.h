// Online beta calibration (Kull, Silva Filho & Flach, "Beta calibration: a well-founded and easily
// implemented improvement on logistic calibration for binary classifiers", AISTATS 2017):
//   p = 1/(1 + e^{-(a ln s - b ln(1 - s) + c)}),  a, b >= 0.
// The family contains the identity (a = b = 1, c = 0), Platt's map of the logit (a = b), and maps that
// are steep at one end only. (a, b, c) is learned by one online Newton step per example, with
// forgetting (online_newton.h); `ridge` is the weight of the initial map, the raw score, in examples'
// worth of curvature. The paper fits a batch, and fits again without a or b if one is negative; each
// step here does the same. Scores are clamped to [1e-6, 1 - 1e-6].
// Memory: 12 numbers. Cost: O(1) per example, one exponential and two logarithms.
#pragma once

#include <array>

#include "plumbline/calibrators/newton_calibrator.h"

namespace plumbline::inline v0 {

// ln s, -ln(1 - s) and 1 for the weights (a, b, c).
struct BetaInputs {
  std::array<double, 3> operator()(const Scores& scores, std::size_t row) const;
};
extern template class NewtonCalibrator<BetaInputs>;

class Beta : public NewtonCalibrator<BetaInputs> {
 public:
  using Params = NewtonParams;
  explicit Beta(const Params& params);
};

}  // namespace plumbline::inline v0
