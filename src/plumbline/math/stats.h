// Means of repeated runs with confidence intervals, and the quantiles for them.
#pragma once

#include <span>

namespace plumbline::inline v0 {

struct MeanInterval {
  double mean = 0;
  double half_width = 0;  // of the 95 % confidence interval (Student's t); 0 for a single value
};

MeanInterval mean_interval(std::span<const double> values);

// The 97.5 % quantile of Student's t; `degrees` >= 1.
double student_t975(std::size_t degrees);

// The z that a standard normal variable exceeds with probability `tail`, in [1e-300, 1/2].
double normal_upper_quantile(double tail);

}  // namespace plumbline::inline v0
