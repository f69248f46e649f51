#include "plumbline/model/recorder.h"

#include <cmath>

#include "plumbline/core/loss.h"
#include "plumbline/metrics/registry.h"

namespace plumbline {
namespace {

constexpr std::size_t kMostPoints = 400;

Recorder::Point joined(const Recorder::Point& a, const Recorder::Point& b) {
  Recorder::Point both = b;
  both.examples += a.examples;
  both.batches += a.batches;
  both.log_loss_sum += a.log_loss_sum;
  both.brier_sum += a.brier_sum;
  for (std::size_t i = 0; i < kActionCount; ++i) both.actions[i] += a.actions[i];
  return both;
}

}  // namespace

Recorder::Recorder(double negatives_kept)
    : log_loss_(metrics().make("log_loss")),
      brier_(metrics().make("brier")),
      accuracy_(metrics().make("accuracy")),
      reliability_(metrics().make("calibration_error")),
      score_log_loss_(metrics().make("log_loss")),
      score_reliability_(metrics().make("calibration_error")),
      score_histogram_(metrics().make("score_histogram:bins=40")),
      negatives_kept_(negatives_kept) {}

void Recorder::add(const Model& model, std::span<const double> scores,
                   std::span<const double> probabilities, std::span<const Label> labels,
                   Action action, std::span<const Costs> costs) {
  for (Metric* metric : {log_loss_.get(), brier_.get(), accuracy_.get(), reliability_.get()}) {
    metric->observe(probabilities, labels);
  }
  for (Metric* metric : {score_log_loss_.get(), score_reliability_.get(), score_histogram_.get()}) {
    metric->observe(scores, labels);
  }
  if (!costs.empty()) {
    if (!costs_) costs_ = std::make_unique<CostRecorder>(negatives_kept_);
    costs_->add(probabilities, labels, costs);
  }
  examples_ += labels.size();
  ++batches_;
  ++actions_[static_cast<std::size_t>(action)];
  Point point{.end = static_cast<double>(examples_),
              .examples = static_cast<double>(labels.size()),
              .batches = 1,
              .log_loss_so_far = log_loss()};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    positives_ += labels[i];
    point.log_loss_sum += plumbline::log_loss(probabilities[i], labels[i]);
    point.brier_sum += plumbline::brier(probabilities[i], labels[i]);
  }
  point.actions[static_cast<std::size_t>(action)] = 1;
  add_point(model, point);
}

void Recorder::add_point(const Model& model, const Point& point) {
  if (!curve_.empty() && curve_.back().batches < static_cast<double>(stretch_)) {
    curve_.back() = joined(curve_.back(), point);
  } else {
    curve_.push_back(point);
  }
  if (curve_.back().batches >= static_cast<double>(stretch_)) {
    curve_.back().arms = model.view(0).arms;
  }
  if (curve_.size() < 2 * kMostPoints || curve_.back().batches < static_cast<double>(stretch_)) {
    return;
  }
  for (std::size_t i = 0; i < kMostPoints; ++i) {
    curve_[i] = joined(curve_[2 * i], curve_[2 * i + 1]);
  }
  curve_.resize(kMostPoints);
  stretch_ *= 2;
}

double Recorder::calibration_share() const {
  if (batches_ == 0) return 0;
  return static_cast<double>(actions(Action::calibrate) + actions(Action::both)) /
         static_cast<double>(batches_);
}

double Recorder::base_log_loss() const {
  const double p = static_cast<double>(positives_) / static_cast<double>(examples_);
  return p > 0 && p < 1 ? -p * std::log(p) - (1 - p) * std::log(1 - p) : 0;
}

}  // namespace plumbline
