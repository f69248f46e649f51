#include "plumbline/evaluation/recorder.h"

#include <algorithm>
#include <cmath>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/math/loss.h"
#include "plumbline/metrics.h"

namespace plumbline::inline v0 {
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
    : accuracy_(metrics().make("accuracy")),
      reliability_(metrics().make("calibration_error")),
      score_log_loss_(metrics().make("log_loss")),
      score_reliability_(metrics().make("calibration_error")),
      score_histogram_(metrics().make("score_histogram:bins=40")),
      negatives_kept_(negatives_kept) {
  curve_.reserve(2 * kMostPoints);
}

Recorder::Point Recorder::two_classes(std::span<const double> scores,
                                      std::span<const double> probabilities,
                                      std::span<const Label> labels) {
  for (Metric* metric : {accuracy_.get(), reliability_.get()}) {
    metric->observe(probabilities, labels);
  }
  for (Metric* metric : {score_log_loss_.get(), score_reliability_.get(), score_histogram_.get()}) {
    metric->observe(scores, labels);
  }
  Point point;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double log_loss = plumbline::log_loss(probabilities[i], labels[i]);
    const double brier = plumbline::brier(probabilities[i], labels[i]);
    positives_ += labels[i];
    log_loss_sum_ += log_loss;
    brier_sum_ += brier;
    point.log_loss_sum += log_loss;
    point.brier_sum += brier;
  }
  return point;
}

Recorder::Point Recorder::several_classes(std::size_t classes, std::span<const double> scores,
                                          std::span<const double> probabilities,
                                          std::span<const Label> labels) {
  several_ = true;
  classes_.grow(classes);
  score_classes_.grow(classes);
  const auto [log_loss, brier] = classes_.observe(probabilities, labels);
  score_classes_.observe(scores, labels);
  Point point;
  point.log_loss_sum = log_loss;
  point.brier_sum = brier;
  return point;
}

void Recorder::add(const Session& session) {
  const auto& [outputs, probabilities, scores, asked] = session.predictions();
  const auto labels = session.rows().examples().y;
  const auto costs = session.rows().examples().costs;
  Point point = session.model().several_classes()
                    ? several_classes(outputs, scores, probabilities, labels)
                    : two_classes(scores, probabilities, labels);
  last_label_.grow(std::max<std::size_t>(outputs, 2));
  for (const Label label : labels) last_label_.test(label);
  const auto delay = static_cast<std::size_t>(session.model().config().label_delay);
  last_label_.reveal(last_label_.hidden() - std::min(last_label_.hidden(), delay));
  if (!costs.empty()) {
    if (!costs_) costs_ = std::make_unique<CostRecorder>(negatives_kept_);
    costs_->add(probabilities, labels, costs);
  }
  asked_ +=
      asked.empty() ? labels.size() : static_cast<std::uint64_t>(std::ranges::count(asked, 1));
  for (const RoundRecord& round : session.records()) {
    ++actions_[static_cast<std::size_t>(round.action)];
    ++point.actions[static_cast<std::size_t>(round.action)];
  }
  count(point, labels.size(), &session.model());
}

void Recorder::add(std::span<const double> scores, std::span<const double> probabilities,
                   std::span<const Label> labels) {
  const Point point = two_classes(scores, probabilities, labels);
  last_label_.grow(2);
  for (const Label label : labels) last_label_.test(label);
  last_label_.reveal(last_label_.hidden());
  asked_ += labels.size();
  count(point, labels.size(), nullptr);
}

void Recorder::count(Point point, std::size_t rows, const Model* model) {
  examples_ += rows;
  ++batches_;
  point.end = static_cast<double>(examples_);
  point.examples = static_cast<double>(rows);
  point.batches = 1;
  point.log_loss_so_far = log_loss();
  add_point(model, point);
}

void Recorder::add_point(const Model* model, const Point& point) {
  if (!curve_.empty() && curve_.back().batches < static_cast<double>(stretch_)) {
    curve_.back() = joined(curve_.back(), point);
  } else {
    curve_.push_back(point);
  }
  if (model != nullptr && curve_.back().batches >= static_cast<double>(stretch_)) {
    curve_.back().arms = model->arms();
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

double Recorder::share_of(bool (*counts)(Action)) const {
  std::uint64_t all = 0, counted = 0;
  for (std::size_t i = 0; i < kActionCount; ++i) {
    all += actions_[i];
    if (counts(static_cast<Action>(i))) counted += actions_[i];
  }
  return all == 0 ? 0 : static_cast<double>(counted) / static_cast<double>(all);
}

double Recorder::calibration_share() const { return share_of(calibrates); }
double Recorder::training_share() const { return share_of(trains); }

double Recorder::base_log_loss() const {
  if (several_) return classes_.base_log_loss();
  const double p = static_cast<double>(positives_) / static_cast<double>(examples_);
  return p > 0 && p < 1 ? -p * std::log(p) - (1 - p) * std::log(1 - p) : 0;
}

double Recorder::base_accuracy() const {
  if (several_) return classes_.base_accuracy();
  return mean(static_cast<double>(std::max(positives_, examples_ - positives_)));
}

}  // namespace plumbline::inline v0
