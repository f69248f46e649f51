// The plan of a reproduction, and its execution on several threads.
//
// Each run depends only on its own settings in the plan, so results do not depend on the number of
// threads, on interruptions, or on the other runs.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "paper/journal.h"
#include "paper/reading.h"
#include "paper/results.h"
#include "paper/run_cache.h"
#include "plumbline/io/source.h"

namespace plumbline::paper {

struct Plan {
  std::vector<const Table*> tables;
  std::vector<std::string> data_sets{};  // all if empty
  std::vector<PolicyRow> policies;
  Reading reading;
  std::size_t runs = 10;
  bool last_half = false;  // records the reliability curve of the last half of each run
  std::string data{};      // the folder of the data sets
  std::size_t threads = 0;
};

// Called before the first run and after each, with the share of the work that is done, in [0, 1], the
// number of finished runs, and the number of all runs; never concurrently.
using OnProgress = std::function<void(double share, std::size_t done, std::size_t all)>;

// Throws an io error that names the missing data sets.
void require_data(const Plan& plan);

// Throws the error of `require_data` before anything runs, and `Interrupted` once the flag is set. Runs
// in the journal or in the cache are not run again, and finished runs are added to both; either may be null. Runs from the
// cache have no data for figures.
Results execute(const Plan& plan, Journal* journal, const OnProgress& on_progress,
                const std::atomic<bool>* interrupted, RunCache* cache = nullptr);

// The settings that the runs of a plan share, as JSON, for the journal.
std::string settings_json(const Plan& plan);

// True if the runs of a table record the data for figures.
bool has_figures(const Table& table);

}  // namespace plumbline::paper
