// The calibrator behind an OnlineCalibrator: one of the registry for two classes, a joint one for several.
//
// Rows are mapped scores (model/score_map.h). The trace holds the numbers that the calibrator must keep until the labels
// come. The layout of a minibatch's trace depends on the calibrator; it need not be the traces of its rows in
// sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/calibrator.h"
#include "plumbline/components.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class ScoreCalibration {
 public:
  virtual ~ScoreCalibration() = default;

  // Numbers in the trace of a row.
  virtual std::size_t trace_size() const = 0;
  // Writes the probabilities, one or K for each row, and the trace.
  virtual void apply(std::span<const double> mapped, std::size_t rows,
                     std::span<double> probabilities, std::span<double> trace) const = 0;
  virtual void learn(std::span<const double> mapped, std::span<const Label> labels,
                     std::span<const double> trace) = 0;
  // A calibration with one more class, the last one. It keeps the joint map of several classes, which then learns from
  // the next examples on about the new one. The map of two classes becomes a joint map that agrees with it around even
  // odds, as if it had learned `examples`.
  virtual std::unique_ptr<ScoreCalibration> with_class(std::uint64_t examples) const = 0;
  virtual std::vector<Calibrator::Part> parts() const = 0;
  virtual void archive(Archive& archive) = 0;
};

std::unique_ptr<ScoreCalibration> make_score_calibration(const Components& components,
                                                         const Spec& calibrator, std::size_t scores,
                                                         std::size_t classes);

}  // namespace plumbline::inline v0
