#include "paper/experiment.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "plumbline/encoding/stored_rows.h"
#include "plumbline/io/source.h"
#include "plumbline/math/loss.h"
#include "plumbline/metrics.h"
#include "plumbline/session.h"

namespace plumbline::paper {
namespace {

constexpr std::size_t kStretches = 60;

// Builds a trace minibatch by minibatch.
class Tracer {
 public:
  explicit Tracer(std::size_t minibatches)
      : minibatches_(minibatches),
        stretches_(std::min(kStretches, minibatches)),
        reliability_(metrics().make("calibration_error")),
        scores_(metrics().make("score_histogram:bins=20")) {}

  void add(std::span<const double> scores, std::span<const double> probabilities,
           std::span<const Label> labels, bool calibrated, double log_loss_so_far) {
    reliability_->observe(probabilities, labels);
    scores_->observe(scores, labels);
    ++seen_;
    if (calibrated) ++calibrated_;
    const std::size_t done = trace_.minibatches.size();
    const std::size_t end = (done + 1) * minibatches_ / stretches_;
    if (seen_ < end) return;
    trace_.minibatches.push_back(static_cast<double>(seen_));
    trace_.log_loss.push_back(log_loss_so_far);
    trace_.calibrated.push_back(static_cast<double>(calibrated_) / static_cast<double>(seen_));
  }

  Trace finish() {
    trace_.reliability = reliability_->bins();
    trace_.scores = scores_->bins();
    return std::move(trace_);
  }

 private:
  std::size_t minibatches_, stretches_;
  std::size_t seen_ = 0, calibrated_ = 0;
  std::unique_ptr<Metric> reliability_, scores_;
  Trace trace_;
};

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

RunResult run_experiment(const Task& task, ModelConfig config, std::uint64_t run,
                         TraceOptions options, const std::atomic<bool>* interrupted) {
  const double began = thread_seconds();
  config.seed += run;
  const std::size_t batch_size = task.set().batch;
  const Schema schema = Schema::numeric(task.features());
  // The task has already standardized the rows, if the interpretation does.
  Model model({.model = config,
               .batch = static_cast<std::int64_t>(batch_size),
               .encoder = {.standardize = EncoderOptions::Standardize::no}},
              schema);
  StoredRows source(schema, task.examples(), task.order(config.seed));
  Session session(source, model);

  const std::size_t rows = task.rows(), minibatches = (rows + batch_size - 1) / batch_size;
  Tracer tracer(minibatches);
  std::vector<double> last_probabilities;
  std::vector<Label> last_labels;
  double loss_sum = 0;
  std::size_t done = 0, calibrations = 0;
  while (session.step()) {
    if (interrupted != nullptr && *interrupted) throw Interrupted{};
    const auto& [outputs, probabilities, scores, asked] = session.predictions();
    const auto labels = session.labels();
    const bool calibrated = calibrates(session.records().front().action);
    if (calibrated) ++calibrations;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      loss_sum += log_loss(probabilities[i], labels[i]);
      if (!options.last_half || done + i < rows / 2) continue;
      last_probabilities.push_back(probabilities[i]);
      last_labels.push_back(labels[i]);
    }
    done += labels.size();
    if (options.trace) {
      tracer.add(scores, probabilities, labels, calibrated, loss_sum / static_cast<double>(done));
    }
  }
  RunResult result;
  result.seconds = thread_seconds() - began;
  result.log_loss = loss_sum / static_cast<double>(rows);
  result.calibrated = static_cast<double>(calibrations) / static_cast<double>(minibatches);
  if (options.trace) result.trace = tracer.finish();
  if (options.last_half) result.last_half = consistency(last_probabilities, last_labels);
  return result;
}

}  // namespace plumbline::paper
