// The options of one model per key.
#pragma once

#include <cstdint>
#include <string>

#include "cli/options/verb.h"

namespace plumbline::cli {

struct KeyOptions {
  std::string key;     // a column; empty for one model of all rows
  std::string parent;  // a preset, or `off`; empty if it was not given
  std::uint64_t ttl = 0;
  std::uint64_t cache_mib = 256;
  bool resume = false;

  // True if any option was given that a store knows already.
  bool any_kept() const { return !parent.empty() || ttl > 0; }
};

void add_key_options(Verb& verb, KeyOptions& options);
// The memory for states of `predict` and `run`.
Option key_cache_option(KeyOptions& options);

}  // namespace plumbline::cli
