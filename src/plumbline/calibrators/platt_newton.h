// Platt scaling that remembers: p = 1/(1 + e^{-(a z + b)}) with z = ln(s/(1 - s)), learned by one online
// Newton step per example, with forgetting.
//
// With x = (z, 1), p predicted for the example and y its label:
//   A     <- f A + (1 - f) r I + p (1 - p) x x'      (begins as r I)
//   (a,b) <- (a,b) + A^-1 (y - p) x                  (begins as (1, 0): the raw score)
// f is `forgetting`, so that the memory is about 1/(1 - f) examples long, and r is `ridge`, in examples'
// worth of curvature. This is recursive least squares for the logistic loss; for f = 1 it is the online
// Newton step of Hazan, Agarwal & Kale (2007) with the exact curvature. Scores are kept 1e-6 off 0 and 1.
// Unlike `platt` it forgets slowly, and so serves drifting streams and minibatches of any size.
// It remembers six numbers. Cost: O(1) per example, one exponential and one logarithm.
#pragma once

#include <array>

#include "plumbline/calibrators/calibrator.h"
#include "plumbline/core/options.h"

namespace plumbline {

class PlattNewton : public Calibrator {
 public:
  struct Params {
    double forgetting = 0.999;
    double ridge = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit PlattNewton(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double> scores, std::span<const Label> labels) override;
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  double probability(double logit) const;

  Params params_;
  double slope_ = 1;                   // a
  double intercept_ = 0;               // b
  std::array<double, 3> curvature_{};  // A: its first, mixed and second entry
  bool fitted_ = false;
};

}  // namespace plumbline
