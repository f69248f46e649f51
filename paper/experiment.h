// Runs of the paper's experiments: one model over one order of a data set's rows, predicting each
// minibatch before learning from it.
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

// What figures show of a run. The stretches are the same for every run over as many rows.
struct Trace {
  std::vector<double> minibatches;  // up to the end of each stretch
  std::vector<double> log_loss;     // the mean of all predictions up to there
  std::vector<double> calibrated;   // the share of minibatches up to there spent on calibrating
  std::vector<Bin> reliability;     // of the probabilities
  std::vector<Bin> scores;          // a histogram of the scores before calibration
};

struct RunResult {
  double log_loss = 0;    // over the whole data set
  double calibrated = 0;  // the share of minibatches spent on calibrating
  double seconds = 0;     // of processor time; not a part of what is kept
  Trace trace;            // if asked for
  // The reliability curve of the last half of the examples, with its bands; if asked for.
  std::optional<Consistency> last_half{};
};

// What a run keeps besides its log-loss.
struct Keep {
  bool trace = false;
  bool last_half = false;
};

// Run number `run` of a configuration: its seed is that of the configuration plus `run`. Throws
// `Interrupted` between two minibatches once the flag is set.
RunResult run_experiment(const Task& task, ModelConfig config, std::uint64_t run, Keep keep,
                         const std::atomic<bool>* interrupted = nullptr);

}  // namespace plumbline::paper
