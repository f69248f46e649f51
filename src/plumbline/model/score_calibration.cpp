#include "plumbline/model/score_calibration.h"

#include <utility>

#include "plumbline/calibrators/class_mixture.h"
#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {
namespace {

class OfSeveralClasses : public ScoreCalibration {
 public:
  OfSeveralClasses(ClassMixture mixture, std::size_t scores, std::size_t classes)
      : mixture_(std::move(mixture)), scores_(scores), classes_(classes) {}

  std::size_t trace_size() const override { return mixture_.trace_size(); }

  void apply(std::span<const double> mapped, std::size_t rows, std::span<double> probabilities,
             std::span<double> trace) const override {
    for (std::size_t i = 0; i < rows; ++i) {
      mixture_.apply(row(mapped, i), probabilities.subspan(i * classes_, classes_),
                     trace.subspan(i * trace_size(), trace_size()));
    }
  }

  void learn(std::span<const double> mapped, std::span<const Label> labels,
             std::span<const double> trace) override {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      mixture_.learn(row(mapped, i), labels[i], trace.subspan(i * trace_size(), trace_size()));
    }
  }

  std::unique_ptr<ScoreCalibration> with_class(std::uint64_t) const override {
    return std::make_unique<OfSeveralClasses>(mixture_.with_class(), scores_, classes_ + 1);
  }
  std::vector<Calibrator::Part> parts() const override { return mixture_.parts(); }
  void archive(Archive& archive) override { mixture_.archive(archive); }

 private:
  std::span<const double> row(std::span<const double> mapped, std::size_t i) const {
    return mapped.subspan(i * scores_ * classes_, scores_ * classes_);
  }

  ClassMixture mixture_;
  std::size_t scores_, classes_;
};

class OfTwoClasses : public ScoreCalibration {
 public:
  OfTwoClasses(std::unique_ptr<Calibrator> calibrator, std::size_t scores)
      : calibrator_(std::move(calibrator)), scores_(scores) {}

  std::size_t trace_size() const override { return calibrator_->trace_columns(); }

  void apply(std::span<const double> mapped, std::size_t rows, std::span<double> probabilities,
             std::span<double> trace) const override {
    thread_local ScoreTable table;
    calibrator_->apply_traced(columns(mapped, rows, table), probabilities, trace);
  }

  void learn(std::span<const double> mapped, std::span<const Label> labels,
             std::span<const double> trace) override {
    calibrator_->observe(labels);
    calibrator_->calibrate_traced(columns(mapped, labels.size(), table_), labels, trace);
  }

  std::unique_ptr<ScoreCalibration> with_class(std::uint64_t examples) const override {
    const std::vector<double> weights = joint_weights();
    return std::make_unique<OfSeveralClasses>(
        ClassMixture(scores_, weights, static_cast<double>(examples)), scores_, 3);
  }
  std::vector<Calibrator::Part> parts() const override { return calibrator_->parts(); }
  void archive(Archive& archive) override { calibrator_->archive(archive); }

 private:
  // The log-odds of one row of these scores.
  double log_odds(std::span<const double> scores) const {
    double p = 0;
    calibrator_->apply({scores, 1}, {&p, 1});
    return score_logit(p);
  }

  // Of a joint map of three classes. With sources sure of the first two, ln q_1/q_0 = b_1 - b_0 + sum_m a_m ln p_1/p_0:
  // the slopes and the intercept of the calibrator between the odds 1:3 and 3:1 of each score.
  std::vector<double> joint_weights() const {
    std::vector<double> scores(scores_, 0.5), weights(scores_);
    const double bias = log_odds(scores) / 2;
    for (std::size_t m = 0; m < scores_; ++m) {
      scores[m] = 0.75;
      const double above = log_odds(scores);
      scores[m] = 0.25;
      weights[m] = (above - log_odds(scores)) / (2 * score_logit(0.75));
      scores[m] = 0.5;
    }
    weights.insert(weights.end(), {-bias, bias, 0.0});
    return weights;
  }

  // Column after column. One score, or one row, already is.
  Scores columns(std::span<const double> mapped, std::size_t rows, ScoreTable& table) const {
    if (scores_ == 1 || rows == 1) return {mapped, rows};
    table.resize(scores_, rows);
    for (std::size_t m = 0; m < scores_; ++m) {
      for (std::size_t i = 0; i < rows; ++i) table.column(m)[i] = mapped[i * scores_ + m];
    }
    return table.scores();
  }

  std::unique_ptr<Calibrator> calibrator_;
  std::size_t scores_;
  ScoreTable table_;
};

}  // namespace

std::unique_ptr<ScoreCalibration> make_score_calibration(const Components& components,
                                                         const Spec& calibrator, std::size_t scores,
                                                         std::size_t classes) {
  if (classes > 2)
    return std::make_unique<OfSeveralClasses>(ClassMixture(scores, classes), scores, classes);
  return std::make_unique<OfTwoClasses>(components.calibrators.make(calibrator, scores), scores);
}

}  // namespace plumbline::inline v0
