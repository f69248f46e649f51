// Reliability diagrams for pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plumbline/metrics.h"
#include "report/chart.h"

namespace plumbline::cli {

// The mean outcome of each bin against its mean prediction, with 95 % intervals (Wilson).
report::Series reliability_series(const std::string& name, const std::vector<Bin>& bins);

// The diagram of the calibrated probabilities of two classes, with the band that contains the whole curve of a calibrated
// model with these predictions in 95 of 100 cases, and of scores before calibration, by name.
using NamedBins = std::pair<std::string, std::vector<Bin>>;
report::Chart two_class_reliability(const std::vector<Bin>& calibrated,
                                    const std::vector<NamedBins>& scores);
// What the diagram shows.
inline constexpr const char* kReliabilityCaption =
    "If the model predicts 80 %, it should happen 80 times in 100: points on the diagonal, up to "
    "chance. In 95 of 100 such runs all points of a calibrated model would be inside the band.";

}  // namespace plumbline::cli
