// Online Platt scaling (the paper's section 4.1): p = 1/(1 + e^{w1 s + w0}).
//
// Each calibration minimises the log-loss of its own minibatch over (w1, w0) by BFGS, starting from
// the parameters of the last one: either to convergence, or for `bfgs_steps` steps. The targets are
// Platt's, (N+ + 1)/(N+ + 2) for positives and 1/(N- + 2) for negatives, with N+ and N- counted
// over every example so far, whatever the action on its minibatch (or, with `counts=minibatch`, over
// the minibatch, which limits the confidence of a fit by its number of examples). The first fit starts
// from w1 = 0, w0 = ln((N- + 1)/(N+ + 1)). Before it, the output is the raw score.
// If all scores of a minibatch lie within about 1e-5 of each other, the intercept is fitted rather than
// the enormous slope that would separate them: BFGS stops on the way there, and so steep a sigmoid
// would be useless for the next minibatch.
// Memory: four numbers. Cost per calibration: O(b) per BFGS step, about 10 to 20 steps.
#pragma once

#include <cstdint>

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Platt : public ScoreCalibrator {
 public:
  enum class Counts { stream, minibatch };

  struct Params {
    std::int64_t bfgs_steps = 0;
    Counts counts = Counts::stream;
    void visit(OptionVisitor& visitor);
  };

  explicit Platt(const Params& params) : params_(params) {}

  void observe(std::span<const Label> labels) override;
  void calibrate(std::span<const double> scores, std::span<const Label> labels) override;
  void apply(std::span<const double> scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  Params params_;
  std::uint64_t positives_ = 0;
  std::uint64_t negatives_ = 0;
  double slope_ = 0;      // w1
  double intercept_ = 0;  // w0
  bool fitted_ = false;
};

}  // namespace plumbline::inline v0
