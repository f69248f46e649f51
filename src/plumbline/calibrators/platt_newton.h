// Platt scaling that remembers: p = 1/(1 + e^{-(a z + b)}) with z = ln(s/(1 - s)).
//
// (a, b) is learned by one online Newton step per example, with forgetting (online_newton.h), and
// begins as (1, 0), the raw score. The memory is about 1/(1 - `forgetting`) examples long, and
// `ridge` is the weight of the beginning, in examples' worth of curvature. Scores are kept 1e-6 off
// 0 and 1. Unlike `platt` it forgets slowly, and so serves drifting streams and minibatches of any
// size.
// It remembers six numbers. Cost: O(1) per example, one logarithm and a few exponentials.
#pragma once

#include "plumbline/calibrators/calibrator.h"
#include "plumbline/calibrators/online_newton.h"
#include "plumbline/core/options.h"

namespace plumbline {

class PlattNewton : public ScoreCalibrator {
 public:
  struct Params {
    double forgetting = 0.999;
    double ridge = 1;
    double on_drift = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit PlattNewton(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double> scores, std::span<const Label> labels) override;
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  double kept_on_drift() const override { return on_drift_; }
  void fade(double keep) override { newton_.fade(keep); }
  void archive(Archive& archive) override;

 private:
  OnlineNewton newton_;  // of (a, b)
  double on_drift_;
  bool fitted_ = false;
};

}  // namespace plumbline
