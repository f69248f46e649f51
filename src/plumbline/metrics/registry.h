// The table of metrics; to add one, see CONTRIBUTING.md.
#pragma once

#include "plumbline/base/registry.h"
#include "plumbline/metrics/metric.h"

namespace plumbline {

using MetricRegistry = Registry<Metric, NoTraits>;
const MetricRegistry& metrics();

}  // namespace plumbline
