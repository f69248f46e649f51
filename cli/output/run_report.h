// The page that `plumbline run --report` writes.
#pragma once

#include <string>

#include "plumbline/evaluation/recorder.h"
#include "plumbline/model.h"

namespace plumbline::cli {

std::string run_report(const Model& model, const Recorder& recorder, const std::string& source,
                       double seconds);

}  // namespace plumbline::cli
