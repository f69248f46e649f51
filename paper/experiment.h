// A run of the paper's experiments: a test-then-learn run of one model over a data set's rows in one
// order.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "paper/task.h"
#include "plumbline/config.h"
#include "plumbline/io/source.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/consistency.h"

namespace plumbline::paper {

// The data of a run for figures. Runs over equally many rows have the same segments.
struct Trace {
  std::vector<double> minibatches;  // up to the end of each segment
  std::vector<double> log_loss;     // the mean of all predictions up to there
  std::vector<double> calibrated;   // the share of minibatches up to there spent on calibrating
  std::vector<Bin> reliability;     // of the probabilities
  std::vector<Bin> scores;          // a histogram of the scores before calibration
};

struct RunResult {
  double log_loss = 0;    // over the whole data set
  double calibrated = 0;  // the share of minibatches spent on calibrating
  double seconds = 0;     // of processor time; not recorded in the journal
  Trace trace;            // if requested
  // The reliability curve of the last half of the examples, with its bands; if requested.
  std::optional<Consistency> last_half{};
};

// The data that a run records besides its log-loss.
struct TraceOptions {
  bool trace = false;
  bool last_half = false;
};

// Run number `run` of a configuration; its seed is that of the configuration plus `run`. Throws
// `Interrupted` between two minibatches once the flag is set.
RunResult run_experiment(const Task& task, ModelConfig config, std::uint64_t run,
                         TraceOptions options, const std::atomic<bool>* interrupted = nullptr);

}  // namespace plumbline::paper
