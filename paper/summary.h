// The results of the experiments as text for a terminal.
#pragma once

#include <string>

#include "paper/results.h"

namespace plumbline::paper {

// The tables beside the published ones; then the claims, if the paper's policies ran, or the comparison of a preset that ran
// alone with the paper's best.
std::string summary_text(const Results& results);

}  // namespace plumbline::paper
