// Everything that a reproduction has to run, and the running of it on several threads.
//
// Each run is a function of the plan and its place in it alone, so results do not depend on the
// number of threads, on interruptions, or on what else is in the plan.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "paper/journal.h"
#include "paper/reading.h"
#include "paper/results.h"
#include "plumbline/io/source.h"

namespace plumbline::paper {

struct Plan {
  std::vector<const Table*> tables;
  std::vector<std::string> data_sets{};  // only these, if any
  std::vector<PolicyRow> policies;
  Reading reading;
  std::size_t runs = 10;
  bool last_half = false;  // whether runs keep the reliability curve of their last half
  std::string data{};      // the folder of the data sets
  std::size_t threads = 0;
};

// Called before the first run and after each with the share of the work that is done, from 0 to 1,
// and the numbers of runs done and in all; never from two threads at once.
using OnProgress = std::function<void(double share, std::size_t done, std::size_t all)>;

// Throws an io error that names each data set that is missing.
void require_data(const Plan& plan);

// Throws as `require_data` does before anything runs, and `Interrupted` once the flag is set. Runs
// that the journal has are not run again; a null journal remembers nothing.
Results execute(const Plan& plan, Journal* journal, const OnProgress& on_progress,
                const std::atomic<bool>* interrupted);

// What the runs of a plan have in common, as JSON, for the journal.
std::string settings_json(const Plan& plan);

// Whether the runs of a table keep what figures need.
bool has_figures(const Table& table);

}  // namespace plumbline::paper
