// What a test-then-learn run is measured by, in one pass and constant memory: the running metrics,
// and a curve over time whose points are joined in pairs when there are too many of them. Of several
// classes the measures are those of metrics/multiclass.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/evaluation/cost_recorder.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/multiclass.h"
#include "plumbline/session.h"

namespace plumbline::inline v0 {

class Recorder {
 public:
  // A stretch of the run.
  struct Point {
    double end = 0;  // examples up to its end
    double examples = 0;
    double batches = 0;
    double log_loss_sum = 0, brier_sum = 0;      // over its examples
    double log_loss_so_far = 0;                  // the running mean at its end
    std::array<double, kActionCount> actions{};  // of each binary model, where there are several
    PerAction<ArmEstimate> arms{};               // at its end; none where there are several models
  };

  // `negatives_kept`: the share of the negatives that the stream has kept, for what decisions cost.
  explicit Recorder(double negatives_kept = 1);

  // Counts the last step of a session. Without costs, decisions are not measured; costs are of two classes only.
  void add(const Session& session);

  std::uint64_t examples() const { return examples_; }
  std::uint64_t batches() const { return batches_; }
  std::uint64_t positives() const { return positives_; }  // of two classes
  std::uint64_t actions(Action action) const { return actions_[static_cast<std::size_t>(action)]; }
  // The share of rounds in which the calibrator learned.
  double calibration_share() const;
  // The log-loss of always predicting the share of positives, or of each class, known in hindsight.
  double base_log_loss() const;

  double log_loss() const { return several_ ? classes_.log_loss() : mean(log_loss_sum_); }
  double brier() const { return several_ ? classes_.brier() : mean(brier_sum_); }
  double accuracy() const { return several_ ? classes_.accuracy() : *accuracy_->value(); }
  double ece() const { return several_ ? classes_.calibration_error() : *reliability_->value(); }
  // What the decisions cost; null without costs.
  const CostRecorder* costs() const { return costs_.get(); }
  // Of them, 0 without costs; savings also where nothing could be saved.
  double cost() const { return costs_ ? costs_->cost() : 0; }
  double savings() const { return costs_ ? costs_->savings().value_or(0) : 0; }
  // The same of the scores before calibration.
  double score_log_loss() const {
    return several_ ? score_classes_.log_loss() : *score_log_loss_->value();
  }
  double score_ece() const {
    return several_ ? score_classes_.calibration_error() : *score_reliability_->value();
  }

  // Whether there are several classes; then their measures.
  bool several() const { return several_; }
  const MulticlassMetrics& classes() const { return classes_; }
  const MulticlassMetrics& score_classes() const { return score_classes_; }

  // Of two classes.
  std::vector<Bin> reliability() const { return reliability_->bins(); }
  std::vector<Bin> score_reliability() const { return score_reliability_->bins(); }
  std::vector<Bin> score_histogram() const { return score_histogram_->bins(); }
  const std::vector<Point>& curve() const { return curve_; }

 private:
  Point two_classes(std::span<const double> scores, std::span<const double> probabilities,
                    std::span<const Label> labels);
  Point several_classes(std::size_t classes, std::span<const double> scores,
                        std::span<const double> probabilities, std::span<const Label> labels);
  void add_point(const Model& model, const Point& point);

  // Over all examples.
  double mean(double sum) const { return sum / static_cast<double>(examples_); }

  double log_loss_sum_ = 0, brier_sum_ = 0;
  std::unique_ptr<Metric> accuracy_, reliability_;
  std::unique_ptr<Metric> score_log_loss_, score_reliability_, score_histogram_;
  bool several_ = false;
  MulticlassMetrics classes_, score_classes_;
  std::uint64_t examples_ = 0, batches_ = 0, positives_ = 0;
  std::array<std::uint64_t, kActionCount> actions_{};
  double negatives_kept_;
  std::unique_ptr<CostRecorder> costs_;
  std::vector<Point> curve_;
  std::uint64_t stretch_ = 1;  // minibatches of a point
};

}  // namespace plumbline::inline v0
