#include "paper/experiment.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "plumbline/io/source.h"
#include "plumbline/math/loss.h"
#include "plumbline/metrics/registry.h"
#include "plumbline/model/binary_model.h"

namespace plumbline::paper {
namespace {

constexpr std::size_t kStretches = 60;

// Gathers a trace minibatch by minibatch.
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

RunResult run_experiment(const Task& task, ModelConfig config, std::uint64_t run, Keep keep,
                         const std::atomic<bool>* interrupted) {
  const double began = thread_seconds();
  config.seed += run;
  const std::vector<std::size_t> order = task.order(config.seed);
  const std::size_t batch_size = task.set().batch;
  const std::size_t minibatches = (order.size() + batch_size - 1) / batch_size;
  BinaryModel model(config, Schema::numeric(task.features()));
  Minibatch batch(task.features());
  Tracer tracer(minibatches);
  std::vector<double> scores, probabilities, last_probabilities;
  std::vector<Label> last_labels;
  double loss_sum = 0;
  std::size_t calibrations = 0;
  for (std::size_t at = 0; at < order.size(); at += batch_size) {
    if (interrupted != nullptr && *interrupted) throw Interrupted{};
    task.read(std::span(order).subspan(at, std::min(batch_size, order.size() - at)), batch);
    scores.resize(batch.rows());
    probabilities.resize(batch.rows());
    const Action action = model.step(batch.examples(), scores, probabilities).action;
    const bool calibrated = action == Action::calibrate || action == Action::both;
    if (calibrated) ++calibrations;
    const auto labels = batch.examples().y;
    for (std::size_t i = 0; i < labels.size(); ++i)
      loss_sum += log_loss(probabilities[i], labels[i]);
    if (keep.last_half) {
      const std::size_t begin = std::max(order.size() / 2, at) - at;
      for (std::size_t i = begin; i < labels.size(); ++i) {
        last_probabilities.push_back(probabilities[i]);
        last_labels.push_back(labels[i]);
      }
    }
    if (keep.trace) {
      tracer.add(scores, probabilities, labels, calibrated,
                 loss_sum / static_cast<double>(at + batch.rows()));
    }
  }
  RunResult result;
  result.seconds = thread_seconds() - began;
  result.log_loss = loss_sum / static_cast<double>(order.size());
  result.calibrated = static_cast<double>(calibrations) / static_cast<double>(minibatches);
  if (keep.trace) result.trace = tracer.finish();
  if (keep.last_half) result.last_half = consistency(last_probabilities, last_labels);
  return result;
}

}  // namespace plumbline::paper
