#include "plumbline/math/bfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace plumbline::inline v0 {
namespace {

constexpr double kSufficientDecrease = 1e-4;
constexpr double kCurvature = 0.9;
constexpr int kMaxTrials = 60;

using Function = std::function<ValueAndGradient(const Vector2&)>;

double dot(const Vector2& a, const Vector2& b) { return a[0] * b[0] + a[1] * b[1]; }

Vector2 along(const Vector2& from, double step, const Vector2& direction) {
  return {from[0] + step * direction[0], from[1] + step * direction[1]};
}

struct Step {
  Vector2 point;
  ValueAndGradient at;
};

// A step along the direction that satisfies the weak Wolfe conditions, unless rounding prevents it;
// `step` is the first trial.
std::optional<Step> line_search(const Function& function, const Vector2& from,
                                const ValueAndGradient& here, const Vector2& direction,
                                double step) {
  const double slope = dot(here.gradient, direction);
  // Near the optimum the decrease is smaller than the rounding error of the value.
  const double slack = 4 * std::numeric_limits<double>::epsilon() * std::abs(here.value);
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    const Vector2 point = along(from, step, direction);
    const ValueAndGradient at = function(point);
    if (!(at.value <= here.value + kSufficientDecrease * step * slope + slack)) {
      high = step;
    } else if (dot(at.gradient, direction) < kCurvature * slope) {
      low = step;
    } else {
      return Step{point, at};
    }
    step = std::isinf(high) ? 2 * low : 0.5 * (low + high);
  }
  return std::nullopt;
}

}  // namespace

Vector2 minimise_bfgs(const Function& function, Vector2 start, int max_steps, double tolerance) {
  ValueAndGradient here = function(start);
  std::array<Vector2, 2> inverse{{{1, 0}, {0, 1}}};  // approximate inverse Hessian
  for (int iteration = 0; iteration < max_steps; ++iteration) {
    const Vector2& g = here.gradient;
    if (std::max(std::abs(g[0]), std::abs(g[1])) <= tolerance) break;
    const Vector2 direction{-dot(inverse[0], g), -dot(inverse[1], g)};
    const double first = iteration == 0 ? std::min(1.0, 1 / std::sqrt(dot(g, g))) : 1;
    const std::optional<Step> step = line_search(function, start, here, direction, first);
    if (!step) break;

    const Vector2 s = along(step->point, -1, start);
    const Vector2 y = along(step->at.gradient, -1, here.gradient);
    const double sy = dot(s, y);
    start = step->point;
    here = step->at;
    if (sy <= 0) continue;  // no curvature information, by rounding
    // H += (1 + y'Hy/s'y) ss'/s'y - (Hy s' + s y'H)/s'y.
    const Vector2 hy{dot(inverse[0], y), dot(inverse[1], y)};
    const double factor = (1 + dot(y, hy) / sy) / sy;
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        inverse[i][j] += factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / sy;
      }
    }
  }
  return start;
}

}  // namespace plumbline::inline v0
