// BFGS for two parameters: what online Platt scaling needs, and no more.
//
// Quasi-Newton minimisation of a smooth convex function with a line search that bisects to the
// weak Wolfe conditions. The first step is along the gradient and is tried at length 1 at most, as in
// scipy: few steps are then a bounded move. Stops when the largest component of the gradient is
// at most `tolerance`, when no step lowers the function any more, or after the given number of steps.
#pragma once

#include <array>
#include <functional>

namespace plumbline::inline v0 {

using Vector2 = std::array<double, 2>;

struct ValueAndGradient {
  double value;
  Vector2 gradient;
};

Vector2 minimise_bfgs(const std::function<ValueAndGradient(const Vector2&)>& function,
                      Vector2 start, int max_steps, double tolerance = 1e-9);

}  // namespace plumbline::inline v0
