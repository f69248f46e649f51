// No calibration: the probability is the raw score (the paper's "uncalibrated").
#pragma once

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class NoCalibrator : public ScoreCalibrator {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };

  explicit NoCalibrator(const Params&) {}

  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double>, std::span<const Label>) override {}
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  void archive(Archive&) override {}
};

}  // namespace plumbline::inline v0
