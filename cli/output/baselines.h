// The baselines beside the results: always the base rate, and always the last label (metrics/last_label.h).
#pragma once

#include <string>

#include "plumbline/evaluation/recorder.h"
#include "report/page.h"

namespace plumbline::cli {

inline constexpr const char* kLastLabel = "always the last label";

// "always saying 0.343", or "always saying the classes' shares".
std::string base_rate_name(const Recorder& recorder);
// "always saying the share of positives", or "always saying the classes' shares".
std::string base_rate_title(const Recorder& recorder);
// Explains the baselines and kappa-temporal in a report.
std::string baselines_text();
// The log-loss and the accuracy of the model and of the baselines.
report::Table baselines_table(const Recorder& recorder);

}  // namespace plumbline::cli
