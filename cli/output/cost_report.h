// The costs of decisions, as text, as JSON and as a table of a page.
#pragma once

#include <string>

#include "cli/output/json.h"
#include "plumbline/evaluation/cost_recorder.h"
#include "report/page.h"

namespace plumbline::cli {

// Lines for the summary of `run`.
std::string cost_summary(const CostRecorder& costs);
Json cost_json(const CostRecorder& costs);
report::Table cost_table(const CostRecorder& costs);
report::Table decisions_table(const CostRecorder& costs);

}  // namespace plumbline::cli
