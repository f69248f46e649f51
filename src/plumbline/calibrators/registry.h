// The table of calibrators; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/calibrators/calibrator.h"

namespace plumbline {

// Made for a number of columns of scores.
using CalibratorRegistry = Registry<Calibrator, NoTraits, std::size_t>;
const CalibratorRegistry& calibrators();

}  // namespace plumbline
