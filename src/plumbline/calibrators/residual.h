// Corrects the mean error of similar forecasts:
//   logit p = logit q + c(q),  c piecewise linear in arcsin(sqrt q) with `knots` equidistant knots,
//   c_k = sum h_k(q_i) (y_i - q_i) / (`shrinkage` + sum h_k(q_i) q_i (1 - q_i)), clamped to [-1, 1],
// with h_k the hat function of knot k and discounted sums over the past. That is one Newton step of the
// log-loss from c = 0 with a prior. It moves the mean forecast near each knot to the share of
// positives there, as calibeating does (histogram.h), but without a constant output per bin.
// It suits forecasts that are nearly right: its memory of 1/(1 - `forgetting`) examples is long, so
// that it finds small persistent errors; the calibrator before it has to track change.
// Memory: 2 numbers per knot. Cost: O(knots) per example, one arcsine, one logarithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Residual : public ScoreCalibrator {
 public:
  struct Params {
    std::int64_t knots = 16;
    double forgetting = 0.9998;
    double shrinkage = 10;
    void visit(OptionVisitor& visitor);
  };

  explicit Residual(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(std::span<const double> scores, std::span<const Label> labels) override;
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  // A position between the knots `left` and `left` + 1, with the weights 1 - `share` and `share`.
  struct Position {
    std::size_t left;
    double share;
  };

  Position position(double score) const;
  void discount();
  double correction(std::size_t knot) const;

  Params params_;
  std::vector<double> missed_;    // sums of h (y - q)
  std::vector<double> variance_;  // sums of h q (1 - q)
  bool fitted_ = false;
};

}  // namespace plumbline::inline v0
