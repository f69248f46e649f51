// The output of `run --key` and of `inspect` for a store of models: a text, or one JSON object.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/evaluation/recorder.h"
#include "plumbline/keyed_model.h"

namespace plumbline::cli {

struct KeyRunResult {
  const KeyedModel& model;
  const Recorder& recorder;
  KeyedTotals before{};  // as the run began
  std::string source{};
  std::uint64_t rows_read = 0;
  std::uint64_t bad_rows = 0;
  double seconds = 0;
  bool interrupted = false;
  std::vector<std::pair<std::string, std::string>> files{};
};

std::string key_run_summary(const KeyRunResult& result);
std::string key_run_json(const KeyRunResult& result);

// The totals of a store, its largest keys by log-loss, and its positions.
std::string store_text(KeyedModel& model);
std::string store_json(KeyedModel& model);
// What is known of a key.
std::string key_text(const KeyStatistics& of, bool parent, std::size_t bytes);
std::string key_json(const KeyStatistics& of, bool parent, std::size_t bytes);

}  // namespace plumbline::cli
