// What forecasts like this one have missed by so far, and no more:
//   logit p = logit q + c(q),  c piecewise linear in arcsin(sqrt q) through `knots` even knots,
//   c_k = sum h_k(q_i) (y_i - q_i) / (`shrinkage` + sum h_k(q_i) q_i (1 - q_i)), kept within [-1, 1],
// with h_k the hat function of knot k and faded sums over the past. That is one Newton step of the
// log-loss from c = 0 with a prior; it moves the mean forecast near each knot to the share of
// positives there, as calibeating does (histogram.h), without putting one number for a whole bin.
// It is for forecasts that are nearly right: its memory, 1/(1 - `forgetting`) examples, is long, so
// that it finds small faults that stay, and leaves change to the calibrator before it.
// It remembers 2 numbers per knot. Cost: O(knots) per example, one arcsine, one logarithm.
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
  // Between knots `left` and `left` + 1; the second counts by `share`, the first by the rest.
  struct Place {
    std::size_t left;
    double share;
  };

  Place place(double score) const;
  void fade();
  double correction(std::size_t knot) const;

  Params params_;
  std::vector<double> missed_;    // sums of h (y - q)
  std::vector<double> variance_;  // sums of h q (1 - q)
  bool fitted_ = false;
};

}  // namespace plumbline::inline v0
