// A calibrator maps scores to a probability, and learns that map online.
//
// On every round the model passes the labels to `observe`. On rounds that the policy spends on
// calibration, the calibrator also learns from the scores of the minibatch (`calibrate`). Before the
// first calibration it returns the first score unchanged. A calibrator is made for a number of score
// columns. Many use the first column only; of these, calibrators that do not need its logit derive from
// ScoreCalibrator.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/registry.h"

PLUMBLINE_BEGIN_NAMESPACE

class Calibrator {
 public:
  // A member of a composite calibrator, with its weight.
  struct Part {
    std::string name;
    double weight;
  };

  virtual ~Calibrator() = default;

  // Called once for each minibatch, whatever the action.
  virtual void observe(std::span<const Label> labels) = 0;
  // Learns from scores and labels; never called with an empty minibatch.
  virtual void calibrate(const Scores& scores, std::span<const Label> labels) = 0;
  // Writes probabilities in [0, 1]; changes no state. `probabilities` may alias the first column of scores.
  virtual void apply(const Scores& scores, std::span<double> probabilities) const = 0;

  // The number of score columns that it uses, from the first on.
  virtual std::size_t columns_used() const { return 1; }

  // For labels that come later. A composite calibrator weighs its members by their predictions, which must be those
  // from before the label was known. These predictions are the trace of a row: `trace_columns()` numbers in [0, 1]. The
  // traces of several rows are stored column after column.
  virtual std::size_t trace_columns() const { return 0; }
  // The same as `apply`; also writes the trace.
  virtual void apply_traced(const Scores& scores, std::span<double> probabilities,
                            std::span<double> /*trace*/) const {
    apply(scores, probabilities);
  }
  // The same as `calibrate`, for rows predicted earlier.
  virtual void calibrate_traced(const Scores& scores, std::span<const Label> labels,
                                std::span<const double> /*trace*/) {
    calibrate(scores, labels);
  }

  // For inspection; empty for a calibrator that is not composite.
  virtual std::vector<Part> parts() const { return {}; }

  virtual void archive(Archive& archive) = 0;
};

// A calibrator of the first score only, which does not use its logit.
class ScoreCalibrator : public Calibrator {
 public:
  void calibrate(const Scores& scores, std::span<const Label> labels) final {
    calibrate(scores.column(0), labels);
  }
  void apply(const Scores& scores, std::span<double> probabilities) const final {
    apply(scores.column(0), probabilities);
  }

  virtual void calibrate(std::span<const double> scores, std::span<const Label> labels) = 0;
  virtual void apply(std::span<const double> scores, std::span<double> probabilities) const = 0;
};

// The constructor argument is the number of score columns.
using CalibratorRegistry = Registry<Calibrator, NoTraits, std::size_t>;
// The built-in calibrators.
const CalibratorRegistry& calibrators();

PLUMBLINE_END_NAMESPACE
