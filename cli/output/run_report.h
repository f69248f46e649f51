// The page that `plumbline run --report` writes.
#pragma once

#include <string>

#include "plumbline/evaluation/recorder.h"
#include "plumbline/model.h"
#include "report/chart.h"

namespace plumbline::cli {

std::string run_report(const Model& model, const Recorder& recorder, const std::string& source,
                       double seconds);

// The mean outcome of each bin against its mean prediction, with 95 % intervals (Wilson).
report::Series reliability_series(const std::string& name, const std::vector<Bin>& bins);

}  // namespace plumbline::cli
