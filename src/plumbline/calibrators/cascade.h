// Two averages, one behind the other (mixture.h), and what they miss (residual.h):
//   q = an average over the first score and stacks of all scores: whom to believe, and how much
//   r = an average over q, spline(q), histogram(q) and isotonic(q): what came of it when that was said
//   p = residual(r): the small faults that stay
// The first finds the order of the examples and a slope, and follows change at three rates; the
// second mends the shape that a sigmoid cannot have. Either falls back to its input where it gains
// nothing: without share, for minibatches of one, the second's total log-loss is at most
// ln(4)/shape_rate above the first's. The residual moves no logit by more than
// 1. Each learns from what the one before said before it learned.
// It remembers what its members remember. Cost: its members'.
#pragma once

#include <optional>
#include <vector>

#include "plumbline/calibrators/mixture.h"
#include "plumbline/calibrators/residual.h"

namespace plumbline::inline v0 {

class Cascade : public Calibrator {
 public:
  struct Params {
    double rate = Mixture::Params{}.rate;
    double share = Mixture::Params{}.share;
    double shape_rate = 1;
    bool residual = true;
    void visit(OptionVisitor& visitor);
  };

  Cascade(const Params& params, std::size_t columns);

  void observe(std::span<const Label> labels) override;
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

 private:
  Mixture stack_;
  Mixture shape_;
  std::optional<Residual> residual_;
  std::vector<double> said_, mended_;  // scratch of calibrate()
};

}  // namespace plumbline::inline v0
