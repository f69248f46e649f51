// Smooth monotone calibration: logit p = g(z) with z = ln(s/(1 - s)), where g has slope w_j at knot
// t_j, slopes between knots are linear, and those beyond the outer knots constant:
//   g(z) = c + sum_j w_j H_j(z),  H_j(z) = integral of knot j's hat function from 0 to z, w_j >= 0.
// So g is an I-spline (Ramsay, "Monotone regression splines in action", Statistical Science 3,
// 1988), once differentiable and nondecreasing. (w, c) is learned by online Newton steps with
// forgetting (online_newton.h), starting from the raw score, w_j = 1 and c = 0. The prior's
// precision is `ridge` I plus `smoothness` for each squared difference of neighbouring slopes, so
// that with few examples one slope serves all, as in platt_newton. Knots are equidistant.
// Memory: d^2 + d numbers for d = `knots` + 1. Cost: O(d^2) per example.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "plumbline/calibrators/newton_calibrator.h"

namespace plumbline::inline v0 {

// H_1(z), …, H_knots(z) and 1 for the weights (w, c).
struct SplineInputs {
  std::size_t knots;
  double reach;
  double gap;  // between neighbouring knots

  std::array<double, OnlineNewton::kMaxWeights> operator()(const Scores& scores,
                                                           std::size_t row) const;
};
extern template class NewtonCalibrator<SplineInputs>;

class Spline : public NewtonCalibrator<SplineInputs> {
 public:
  struct Params {
    std::int64_t knots = 7;
    double reach = 3;
    double forgetting = NewtonParams{}.forgetting;
    double ridge = NewtonParams{}.ridge;
    double smoothness = 0.3;
    void visit(OptionVisitor& visitor);
  };

  explicit Spline(const Params& params);
};

}  // namespace plumbline::inline v0
