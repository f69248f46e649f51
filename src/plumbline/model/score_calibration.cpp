#include "plumbline/model/score_calibration.h"

#include <utility>

#include "plumbline/calibrators/class_mixture.h"
#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {
namespace {

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

  std::vector<Calibrator::Part> parts() const override { return calibrator_->parts(); }
  void archive(Archive& archive) override { calibrator_->archive(archive); }

 private:
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

class OfSeveralClasses : public ScoreCalibration {
 public:
  OfSeveralClasses(std::size_t scores, std::size_t classes)
      : mixture_(scores, classes), width_(scores * classes), classes_(classes) {}

  std::size_t trace_size() const override { return mixture_.trace_size(); }

  void apply(std::span<const double> mapped, std::size_t rows, std::span<double> probabilities,
             std::span<double> trace) const override {
    for (std::size_t i = 0; i < rows; ++i) {
      mixture_.apply(mapped.subspan(i * width_, width_),
                     probabilities.subspan(i * classes_, classes_),
                     trace.subspan(i * trace_size(), trace_size()));
    }
  }

  void learn(std::span<const double> mapped, std::span<const Label> labels,
             std::span<const double> trace) override {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      mixture_.learn(mapped.subspan(i * width_, width_), labels[i],
                     trace.subspan(i * trace_size(), trace_size()));
    }
  }

  std::vector<Calibrator::Part> parts() const override { return mixture_.parts(); }
  void archive(Archive& archive) override { mixture_.archive(archive); }

 private:
  ClassMixture mixture_;
  std::size_t width_, classes_;
};

}  // namespace

std::unique_ptr<ScoreCalibration> make_score_calibration(const Components& components,
                                                         const Spec& calibrator, std::size_t scores,
                                                         std::size_t classes) {
  if (classes > 2) return std::make_unique<OfSeveralClasses>(scores, classes);
  return std::make_unique<OfTwoClasses>(components.calibrators.make(calibrator, scores), scores);
}

}  // namespace plumbline::inline v0
