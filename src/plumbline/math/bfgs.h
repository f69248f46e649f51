// BFGS for two parameters, for online Platt scaling.
//
// Quasi-Newton minimisation of a smooth convex function with a line search that bisects to the
// weak Wolfe conditions. The first step follows the gradient with a length of at most 1, as in scipy,
// so that a few steps are a bounded move. Stops when the largest component of the gradient is at most
// `tolerance`, when no step decreases the function, or after `max_steps` steps.
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
