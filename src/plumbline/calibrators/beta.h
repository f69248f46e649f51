// Online beta calibration (Kull, Silva Filho & Flach, "Beta calibration: a well-founded and easily
// implemented improvement on logistic calibration for binary classifiers", AISTATS 2017):
//   p = 1/(1 + e^{-(a ln s - b ln(1 - s) + c)}),  a, b >= 0.
// It holds the identity (a = b = 1, c = 0), Platt's map of the logit (a = b), and maps that are
// steep at one end only. (a, b, c) is learned by one online Newton step per example, with
// forgetting (online_newton.h); `ridge` is the weight of the beginning, the raw score, in examples'
// worth of curvature. The paper fits a batch, and fits again without a or b where one came out
// negative; each step here does the same. Scores are kept 1e-6 off 0 and 1.
// It remembers 12 numbers. Cost: O(1) per example, one exponential and two logarithms.
#pragma once

#include "plumbline/base/options.h"
#include "plumbline/calibrators/calibrator.h"
#include "plumbline/math/online_newton.h"

namespace plumbline {

class Beta : public ScoreCalibrator {
 public:
  struct Params {
    double forgetting = 0.999;
    double ridge = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit Beta(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double> scores, std::span<const Label> labels) override;
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  OnlineNewton newton_;  // of (a, b, c)
  bool fitted_ = false;
};

}  // namespace plumbline
