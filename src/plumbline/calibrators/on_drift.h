// The option `on_drift` of calibrators that forget: its name, range and help.
#pragma once

#include "plumbline/base/options.h"

namespace plumbline {

inline void visit_on_drift(OptionVisitor& visitor, double& on_drift) {
  visitor.real("on_drift", on_drift, Range::closed(0, 1),
               "what the past keeps of its weight when the loss is found to have risen to another "
               "level; 1 takes no notice");
}

}  // namespace plumbline
