// Implicit steps on the logistic loss (Kulis & Bartlett, ICML 2010; Karampatziakis & Langford, UAI
// 2011): the step uses the residual after the step, so it never overshoots the label, whatever its
// weight.
#pragma once

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// Derivatives of the logistic loss at a margin m, with p = 1/(1 + e^-m).
struct LogisticPoint {
  double residual;   // y - p
  double curvature;  // p (1 - p)
};

LogisticPoint logistic_point(double margin, Label label);

// The m with m = margin + gain (y - p(m)), to ten digits. `gain` is at least 0. Cost: a few
// exponentials.
double implicit_margin(double margin, double gain, Label label);

}  // namespace plumbline::inline v0
