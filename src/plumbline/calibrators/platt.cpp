#include "plumbline/calibrators/platt.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plumbline/math/bfgs.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

constexpr int kStepsToConvergence = 200;  // far more than two parameters need
constexpr double kTolerance = 1e-9;       // of the gradient, per example
// Bounds the fit to almost equal scores; e^{-1e6} is already 0.
constexpr double kMaxParameter = 1e12;

}  // namespace

void Platt::Params::visit(OptionVisitor& visitor) {
  visitor.integer("bfgs_steps", bfgs_steps, Range::closed(0, 200),
                  "BFGS steps per calibration; 0 means until converged");
  visitor.choice("counts", counts, {{"stream", Counts::stream}, {"minibatch", Counts::minibatch}},
                 "examples that N+ and N- in the targets count: all so far, as in the paper, or "
                 "those of the minibatch");
}

void Platt::observe(std::span<const Label> labels) {
  const auto positives = static_cast<std::uint64_t>(std::count(labels.begin(), labels.end(), 1));
  positives_ += positives;
  negatives_ += labels.size() - positives;
}

void Platt::calibrate(std::span<const double> scores, std::span<const Label> labels) {
  double np = static_cast<double>(positives_), nn = static_cast<double>(negatives_);
  if (!fitted_) {
    slope_ = 0;
    intercept_ = std::log((nn + 1) / (np + 1));
  }
  if (params_.counts == Counts::minibatch) {
    np = static_cast<double>(std::count(labels.begin(), labels.end(), 1));
    nn = static_cast<double>(labels.size()) - np;
  }
  const double target[2] = {1 / (nn + 2), (np + 1) / (np + 2)};
  // With z = w1 s + w0 and target t, the loss is ln(1 + e^z) - (1 - t) z; summed, not averaged, as in
  // the paper's Eq. (logloss), which matters to the length of the first step.
  const auto objective = [&](const Vector2& w) {
    ValueAndGradient result{0, {0, 0}};
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double z = w[0] * scores[i] + w[1];
      const double negative = 1 - target[labels[i]];
      const double slope = sigmoid(z) - negative;
      result.value += softplus(z) - negative * z;
      result.gradient[0] += slope * scores[i];
      result.gradient[1] += slope;
    }
    return result;
  };
  const int steps =
      params_.bfgs_steps == 0 ? kStepsToConvergence : static_cast<int>(params_.bfgs_steps);
  // By reference: a copy in the function object would need heap memory.
  const Vector2 fit = minimise_bfgs(std::cref(objective), {slope_, intercept_}, steps,
                                    kTolerance * static_cast<double>(scores.size()));
  slope_ = std::clamp(fit[0], -kMaxParameter, kMaxParameter);
  intercept_ = std::clamp(fit[1], -kMaxParameter, kMaxParameter);
  fitted_ = true;
}

void Platt::apply(std::span<const double> scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    probabilities[i] = fitted_ ? sigmoid(-(slope_ * scores[i] + intercept_)) : scores[i];
  }
}

void Platt::archive(Archive& archive) {
  archive.value("positives", positives_);
  archive.value("negatives", negatives_);
  archive.value("slope", slope_);
  archive.value("intercept", intercept_);
  archive.value("fitted", fitted_);
  archive.require_within("slope", {&slope_, 1}, -kMaxParameter, kMaxParameter);
  archive.require_within("intercept", {&intercept_, 1}, -kMaxParameter, kMaxParameter);
}

}  // namespace plumbline::inline v0
