// BFGS for two parameters: what online Platt scaling needs, and no more.
//
// Quasi-Newton minimisation of a smooth convex function with a line search that bisects to the
// weak Wolfe conditions. Stops when the largest component of the gradient is at most 1e-9, when no
// step lowers the function any more, or after the given number of steps.
#pragma once

#include <array>
#include <functional>

namespace plumbline {

using Point = std::array<double, 2>;

struct ValueAndGradient {
  double value;
  Point gradient;
};

Point minimise_bfgs(const std::function<ValueAndGradient(const Point&)>& function, Point start,
                    int max_steps);

}  // namespace plumbline
