// The table of calibrators; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/calibrators/calibrator.h"
#include "plumbline/core/registry.h"

namespace plumbline {

using CalibratorRegistry = Registry<Calibrator>;
const CalibratorRegistry& calibrators();

}  // namespace plumbline
