// The metrics of a test-then-learn run, in one pass and constant memory: running metrics, and a curve
// over time whose points are merged in pairs when there are too many. For several classes the metrics
// are those of metrics/multiclass.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/evaluation/cost_recorder.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/last_label.h"
#include "plumbline/metrics/multiclass.h"
#include "plumbline/session.h"

namespace plumbline::inline v0 {

class Recorder {
 public:
  // A segment of the run.
  struct Point {
    double end = 0;  // number of examples up to its end
    double examples = 0;
    double batches = 0;
    double log_loss_sum = 0, brier_sum = 0;      // over its examples
    double log_loss_so_far = 0;                  // the running mean at its end
    std::array<double, kActionCount> actions{};  // counts, over all binary models
    PerAction<ArmEstimate> arms{};               // at its end; empty for several binary models
  };

  // `negatives_kept` is the share of the negatives that the stream has kept, for costs of decisions.
  explicit Recorder(double negatives_kept = 1);

  // Counts the last step of a session. Decisions are measured only if there are costs, and only for two classes.
  void add(const Session& session);
  // Counts rows of two classes from elsewhere, which were predicted together.
  void add(std::span<const double> scores, std::span<const double> probabilities,
           std::span<const Label> labels);

  std::uint64_t examples() const { return examples_; }
  std::uint64_t batches() const { return batches_; }
  std::uint64_t positives() const { return positives_; }  // for two classes
  std::uint64_t actions(Action action) const { return actions_[static_cast<std::size_t>(action)]; }
  // The share of rows whose labels were asked for; 1 without a label budget.
  double asked_share() const { return mean(static_cast<double>(asked_)); }
  // The share of rounds in which the calibrator learned.
  double calibration_share() const;
  // The share of rounds in which the ensemble learned.
  double training_share() const;
  // The log-loss and the accuracy of always predicting the final share of positives, or of each class.
  double base_log_loss() const;
  double base_accuracy() const;
  // Those of always predicting the last label that was known: that of the minibatch before, or of an earlier row if
  // labels come later.
  double last_label_log_loss() const { return last_label_.log_loss(); }
  double last_label_accuracy() const { return last_label_.accuracy(); }
  std::optional<double> kappa_temporal() const {
    return plumbline::kappa_temporal(accuracy(), last_label_accuracy());
  }

  double log_loss() const { return several_ ? classes_.log_loss() : mean(log_loss_sum_); }
  double brier() const { return several_ ? classes_.brier() : mean(brier_sum_); }
  double accuracy() const { return several_ ? classes_.accuracy() : *accuracy_->value(); }
  double ece() const { return several_ ? classes_.calibration_error() : *reliability_->value(); }
  // The costs of the decisions; null if there are no costs.
  const CostRecorder* costs() const { return costs_.get(); }
  // 0 if there are no costs; `savings` is also 0 if nothing could be saved.
  double cost() const { return costs_ ? costs_->cost() : 0; }
  double savings() const { return costs_ ? costs_->savings().value_or(0) : 0; }
  // Metrics of the scores before calibration.
  double score_log_loss() const {
    return several_ ? score_classes_.log_loss() : *score_log_loss_->value();
  }
  double score_ece() const {
    return several_ ? score_classes_.calibration_error() : *score_reliability_->value();
  }

  // True for more than two classes; `classes` then has their metrics.
  bool several() const { return several_; }
  const MulticlassMetrics& classes() const { return classes_; }
  const MulticlassMetrics& score_classes() const { return score_classes_; }

  // For two classes.
  std::vector<Bin> reliability() const { return reliability_->bins(); }
  std::vector<Bin> score_reliability() const { return score_reliability_->bins(); }
  std::vector<Bin> score_histogram() const { return score_histogram_->bins(); }
  const std::vector<Point>& curve() const { return curve_; }

 private:
  Point two_classes(std::span<const double> scores, std::span<const double> probabilities,
                    std::span<const Label> labels);
  Point several_classes(std::size_t classes, std::span<const double> scores,
                        std::span<const double> probabilities, std::span<const Label> labels);
  // Completes the point of rows that were predicted together, and adds it.
  void count(Point point, std::size_t rows, const Model* model);
  void add_point(const Model* model, const Point& point);

  // The share of rounds whose action counts.
  double share_of(bool (*counts)(Action)) const;
  // The mean over all examples.
  double mean(double sum) const { return sum / static_cast<double>(examples_); }

  double log_loss_sum_ = 0, brier_sum_ = 0;
  std::unique_ptr<Metric> accuracy_, reliability_;
  std::unique_ptr<Metric> score_log_loss_, score_reliability_, score_histogram_;
  bool several_ = false;
  MulticlassMetrics classes_, score_classes_;
  LastLabel last_label_;
  std::uint64_t examples_ = 0, batches_ = 0, positives_ = 0, asked_ = 0;
  std::array<std::uint64_t, kActionCount> actions_{};
  double negatives_kept_;
  std::unique_ptr<CostRecorder> costs_;
  std::vector<Point> curve_;
  std::uint64_t stretch_ = 1;  // minibatches per point
};

}  // namespace plumbline::inline v0
