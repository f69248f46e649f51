#include "plumbline/calibrators/newton_calibrator.h"

namespace plumbline::inline v0 {

void NewtonParams::visit(OptionVisitor& visitor) {
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the initial map, in examples' worth of curvature");
}

}  // namespace plumbline::inline v0
