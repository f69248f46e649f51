// The output of `plumbline calibrate`: metrics of the uncalibrated scores and of the calibrated probabilities, as a text,
// one JSON object, or a page.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/metrics/multiclass.h"
#include "plumbline/online_calibrator.h"
#include "report/page.h"

namespace plumbline::cli {

class CalibrationReport {
 public:
  explicit CalibrationReport(const OnlineCalibrator& calibrator);

  // Counts a row: its uncalibrated scores (OnlineCalibrator::uncalibrated) and its calibrated probabilities, both from
  // before it was learned.
  void add(std::span<const double> uncalibrated, std::span<const double> calibrated, Label label);
  std::uint64_t examples() const { return calibrated_.examples(); }

  struct Run {
    std::string source;
    std::uint64_t rows_read = 0, bad_rows = 0;
    double seconds = 0;
    bool interrupted = false;
    std::vector<std::pair<std::string, std::string>> files{};  // written files: kind, path
  };
  std::string text(const Run& run) const;
  std::string json(const Run& run) const;
  std::string page(const Run& run) const;

  const MulticlassMetrics& calibrated() const { return calibrated_; }
  double log_loss() const { return calibrated_.log_loss(); }
  double brier() const { return brier(calibrated_); }

 private:
  // The probabilities of all classes, from that of the positive class if there are two.
  std::span<const double> all(std::span<const double> probabilities);
  double brier(const MulticlassMetrics& metrics) const;
  // The scores to draw, and the table of all of them.
  std::vector<std::size_t> probabilities() const;
  report::Table comparison() const;

  const OnlineCalibrator& calibrator_;
  std::vector<MulticlassMetrics> scores_;  // of each score
  MulticlassMetrics calibrated_;
  std::vector<double> both_;  // scratch
};

}  // namespace plumbline::cli
