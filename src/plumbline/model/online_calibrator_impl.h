// The implementation of OnlineCalibrator (plumbline/online_calibrator.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/calibrators/expert_weights.h"
#include "plumbline/data/held_rows.h"
#include "plumbline/data/queue.h"
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
  // The same of one row, at once or when its label is known; `row` has its numbers before they were mapped.
  void learn_predicted_row(std::span<const double> row, Label label);
  void check_labels(std::span<const Label> labels, std::size_t rows) const;
  // Checks one row, and the room for its probabilities.
  void check_one(std::span<const double> row, std::span<const double> probabilities) const;
  // The numbers of `mapped`, `calibrated` and `trace` of one row, together; and back.
  void pack();
  void unpack(std::span<const double> numbers);

  // ---- Labels that come later (OnlineCalibratorOptions::label_delay)

  // The two forms of `step`, without the check.
  void step_now(std::span<const double> scores, std::span<const Label> labels,
                std::span<double> probabilities);
  void step_late(std::span<const double> scores, std::span<const Label> labels,
                 std::span<double> probabilities);
  // Adds the row of `mapped`, `calibrated` and `trace`.
  void add_late(Label label);
  // Learns the rows whose labels are known now.
  void learn_late();
  std::size_t late_rows() const { return late.size() / (kept.size() + 1); }
  void archive_late(Archive& archive);

  OnlineCalibratorOptions options;
  std::shared_ptr<const Components> components;
  ScoreMap map;
  std::unique_ptr<ScoreCalibration> calibration;
  ExpertWeights weights;  // of each uncalibrated score, and of the calibrator
  HeldRows held;       // rows that wait under an id: mapped scores, calibrated probabilities, trace
  Queue<double> late;  // rows that wait because of the label delay: the same, and the label
  std::uint64_t examples = 0;

  std::vector<double> next;  // the row of `predict_next`; empty if there is none
  // Scratch for learning.
  std::vector<double> mapped, calibrated, trace, losses, uncalibrated, kept, last;
};

// Checks options and fills in every default.
OnlineCalibratorOptions complete(const OnlineCalibratorOptions& options,
                                 const Components& components);

}  // namespace plumbline::inline v0
