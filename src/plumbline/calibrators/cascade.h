// Two mixtures (mixture.h) in sequence, followed by a residual correction (residual.h):
//   q = mixture of the first score and stacks of all scores: weighs and scales the scores
//   r = mixture of q, spline(q), histogram(q) and isotonic(q): corrects shapes that a sigmoid cannot fit
//   p = residual(r): corrects small persistent errors
// The first stage determines the ranking of the examples and a slope, and tracks change at three rates.
// Each mixture falls back to its input if it gains nothing: without share and for minibatches of one,
// the total log-loss of the second is at most ln(4)/shape_rate above that of the first. The residual
// changes no logit by more than 1. Each stage learns from out-of-sample outputs of the stage before it.
// Memory and cost: those of its members.
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
  std::size_t columns_used() const override { return stack_.columns_used(); }
  // The trace has those of the mixtures, each followed by its output.
  std::size_t trace_columns() const override {
    return stack_.trace_columns() + shape_.trace_columns() + 2;
  }
  void apply_traced(const Scores& scores, std::span<double> probabilities,
                    std::span<double> trace) const override;
  void calibrate_traced(const Scores& scores, std::span<const Label> labels,
                        std::span<const double> trace) override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

 private:
  Mixture stack_;
  Mixture shape_;
  std::optional<Residual> residual_;
  std::vector<double> stacked_, shaped_;  // scratch for calibrate(): the outputs of the stages
};

}  // namespace plumbline::inline v0
