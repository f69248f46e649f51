#include "plumbline/math/implicit_step.h"

#include <cmath>

namespace plumbline::inline v0 {
namespace {

constexpr double kStepTolerance = 1e-10;
constexpr int kMaxIterations = 100;
constexpr int kFreeIterations = 8;

}  // namespace

LogisticPoint logistic_point(double margin, Label label) {
  const double e = std::exp(-std::abs(margin));
  const double likely = 1 / (1 + e), unlikely = e / (1 + e);
  const double p = margin >= 0 ? likely : unlikely, not_p = margin >= 0 ? unlikely : likely;
  return {label == 1 ? not_p : -p, likely * unlikely};
}

// Newton's method with bracketing. With a large gain it alone can cycle between the ends of the bracket, each of which
// barely moves; so after a few iterations, every second one bisects.
double implicit_margin(double margin, double gain, Label label) {
  double low = label == 1 ? margin : margin - gain;
  double high = label == 1 ? margin + gain : margin;
  double m = margin;
  for (int i = 0; i < kMaxIterations; ++i) {
    const auto [residual, curvature] = logistic_point(m, label);
    const double error = m - margin - gain * residual;
    (error > 0 ? high : low) = m;
    const double step = error / (1 + gain * curvature);
    if (std::abs(step) <= kStepTolerance * (1 + std::abs(m))) break;
    m -= step;
    const bool bisect = i >= kFreeIterations && i % 2 == 0;
    if (bisect || !(m > low && m < high)) m = 0.5 * (low + high);
  }
  return m;
}

}  // namespace plumbline::inline v0
