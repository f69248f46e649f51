// The implementation of OnlineCalibrator (plumbline/online_calibrator.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/calibrators/expert_weights.h"
#include "plumbline/data/held_rows.h"
#include "plumbline/model/score_calibration.h"
#include "plumbline/model/score_map.h"
#include "plumbline/online_calibrator.h"

namespace plumbline::inline v0 {

struct OnlineCalibrator::Impl {
  // The options are complete.
  Impl(const OnlineCalibratorOptions& options, std::shared_ptr<const Components> components);

  std::size_t outputs() const { return options.classes == 2 ? 1 : options.classes; }
  // Writes the average of the uncalibrated scores and the calibrated probabilities of one row.
  void average(std::span<const double> mapped, std::span<const double> calibrated,
               std::span<double> probabilities) const;
  // Maps rows into `mapped` and predicts them into `calibrated` and `trace`.
  void predict_to_learn(std::span<const double> rows);
  // Learns the rows of `mapped`, `calibrated` and `trace`.
  void learn_predicted(std::span<const Label> labels);
  void check_labels(std::span<const Label> labels, std::size_t rows) const;

  OnlineCalibratorOptions options;
  std::shared_ptr<const Components> components;
  ScoreMap map;
  std::unique_ptr<ScoreCalibration> calibration;
  ExpertWeights weights;  // of each uncalibrated score, and of the calibrator
  HeldRows held;          // mapped scores, calibrated probabilities and trace
  std::uint64_t examples = 0;

  // Scratch for learning.
  std::vector<double> mapped, calibrated, trace, losses, uncalibrated, kept;
};

// Checks options and fills in every default.
OnlineCalibratorOptions complete(const OnlineCalibratorOptions& options,
                                 const Components& components);

}  // namespace plumbline::inline v0
