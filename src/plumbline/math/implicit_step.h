// Implicit steps on the logistic loss (Kulis & Bartlett, ICML 2010; Karampatziakis & Langford, UAI
// 2011): the residual that moves the weights is the one after the move, so no step, whatever its
// weight, goes beyond the label.
#pragma once

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// What the logistic loss is like at a margin m, with p = 1/(1 + e^-m).
struct LogisticPoint {
  double residual;   // y - p
  double curvature;  // p (1 - p)
};

LogisticPoint logistic_point(double margin, Label label);

// The m with m = margin + gain (y - p(m)), to ten digits. `gain` is at least 0. Cost: a few
// exponentials.
double implicit_margin(double margin, double gain, Label label);

}  // namespace plumbline::inline v0
