// The base class of calibrators that are a logistic model of few inputs: p = 1/(1 + e^{-w'x}), where x
// is a function of the scores of a row.
//
// w is learned by one online Newton step per example, with forgetting (calibrators/online_newton.h). Before
// the first calibration the output is the first score. State: w and its curvature.
#pragma once

#include "plumbline/calibrator.h"
#include "plumbline/calibrators/online_newton.h"
#include "plumbline/math/loss.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

// The options of all of them.
struct NewtonParams {
  double forgetting = 0.999;
  double ridge = 1;
  void visit(OptionVisitor& visitor);
};

// `Inputs` is called with the scores and the index of a row, and returns x as an array, which may be
// longer than w. Only the file that defines its call operator instantiates this class.
template <class Inputs>
class NewtonCalibrator : public Calibrator {
 public:
  void observe(std::span<const Label>) override {}
  void calibrate(const Scores& scores, std::span<const Label> labels) override {
    newton_.learn(labels, [&](std::size_t i) { return inputs_(scores, i); });
    fitted_ = true;
  }
  void apply(const Scores& scores, std::span<double> probabilities) const override {
    for (std::size_t i = 0; i < scores.rows; ++i) {
      probabilities[i] =
          fitted_ ? sigmoid(newton_.linear(inputs_(scores, i))) : scores.column(0)[i];
    }
  }
  // The map of one row, whether it has learned or not.
  void apply_row(const Scores& scores, std::size_t row, double& probability) const {
    probability = sigmoid(newton_.linear(inputs_(scores, row)));
  }
  void archive(Archive& archive) override {
    newton_.archive(archive);
    archive.value("fitted", fitted_);
  }

 protected:
  NewtonCalibrator(const Inputs& inputs, double forgetting, const OnlineNewton::Prior& prior)
      : inputs_(inputs), newton_(forgetting, prior) {}

 private:
  Inputs inputs_;
  OnlineNewton newton_;
  bool fitted_ = false;
};

}  // namespace plumbline::inline v0
