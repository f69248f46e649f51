// Platt scaling with memory: p = 1/(1 + e^{-(a z + b)}) with z = ln(s/(1 - s)) of the first score.
//
// It is a stack (stack.h) of one score, so its initial map is the raw score, (a, b) = (1, 0). The memory
// is about 1/(1 - `forgetting`) examples long. Unlike `platt`, which fits each minibatch anew, it suits
// drifting streams and minibatches of any size.
// Memory: six numbers. Cost: O(1) per example, one logarithm and a few exponentials.
#pragma once

#include "plumbline/calibrators/stack.h"

namespace plumbline::inline v0 {

class PlattNewton : public Stack {
 public:
  explicit PlattNewton(const Params& params) : Stack(params, 1) {}
};

}  // namespace plumbline::inline v0
