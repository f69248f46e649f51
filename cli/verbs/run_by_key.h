// `plumbline run --key`: a test-then-learn run with one model per key.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/options/command_line.h"
#include "cli/options/key_options.h"
#include "cli/options/model_options.h"
#include "cli/options/stream_options.h"

namespace plumbline::cli {

struct RunByKeyOptions {
  const StreamOptions& stream;
  const ModelOptions& model;
  const KeyOptions& keys;
  bool skips;  // --skip was given
  const std::string& load;
  const std::string& save;
  std::uint64_t save_every;  // rows; 0 is never
  const std::string& predictions;
  bool append;
  const std::string& progress;
  bool json;
  // The command line that continues, without the options that the store has.
  std::function<CommandLine()> command;
};

void run_by_key(const RunByKeyOptions& options);

}  // namespace plumbline::cli
