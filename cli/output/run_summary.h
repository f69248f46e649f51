// The output of `plumbline run`: a text, or one JSON object.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/evaluation/recorder.h"
#include "plumbline/model.h"

namespace plumbline::cli {

struct RunResult {
  const Model& model;
  const Recorder& recorder;
  std::string source;
  std::uint64_t rows_read = 0;  // learned from or skipped
  std::uint64_t bad_rows = 0;
  double seconds = 0;
  bool interrupted = false;
  std::vector<std::pair<std::string, std::string>> files{};  // written files: kind, path
};

std::string run_summary(const RunResult& result);
std::string run_json(const RunResult& result);

}  // namespace plumbline::cli
