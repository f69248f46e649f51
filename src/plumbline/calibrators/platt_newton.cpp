#include "plumbline/calibrators/platt_newton.h"

#include <algorithm>
#include <cmath>

#include "plumbline/core/loss.h"

namespace plumbline {
namespace {

constexpr double kScoreClip = 1e-6;
// No step leads beyond this; a slope of 1000 is a threshold.
constexpr double kMaxParameter = 1e3;

double logit(double score) {
  const double s = std::clamp(score, kScoreClip, 1 - kScoreClip);
  return std::log(s / (1 - s));
}

}  // namespace

void PlattNewton::Params::visit(OptionVisitor& visitor) {
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "what the past keeps of its weight with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the beginning, the raw score, in examples' worth of curvature");
}

PlattNewton::PlattNewton(const Params& params)
    : params_(params), curvature_{params.ridge, 0, params.ridge} {}

double PlattNewton::probability(double z) const { return sigmoid(slope_ * z + intercept_); }

void PlattNewton::calibrate(std::span<const double> scores, std::span<const Label> labels) {
  const double f = params_.forgetting, fresh = (1 - f) * params_.ridge;
  auto& [first, mixed, second] = curvature_;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double z = logit(scores[i]), p = probability(z);
    const double weight = p * (1 - p), residual = labels[i] - p;
    first = f * first + fresh + weight * z * z;
    mixed = f * mixed + weight * z;
    second = f * second + fresh + weight;
    // Positive: A is a sum of r I and of squares.
    const double determinant = first * second - mixed * mixed;
    slope_ += residual * (second * z - mixed) / determinant;
    intercept_ += residual * (first - mixed * z) / determinant;
    slope_ = std::clamp(slope_, -kMaxParameter, kMaxParameter);
    intercept_ = std::clamp(intercept_, -kMaxParameter, kMaxParameter);
  }
  fitted_ = true;
}

void PlattNewton::apply(std::span<const double> scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    probabilities[i] = fitted_ ? probability(logit(scores[i])) : scores[i];
  }
}

void PlattNewton::archive(Archive& archive) {
  archive.value("slope", slope_);
  archive.value("intercept", intercept_);
  archive.values("curvature", curvature_);
  archive.value("fitted", fitted_);
  archive.require_within("slope", {&slope_, 1}, -kMaxParameter, kMaxParameter);
  archive.require_within("intercept", {&intercept_, 1}, -kMaxParameter, kMaxParameter);
  archive.require_within("curvature", curvature_, -1e100, 1e100);
  if (!archive.loading()) return;
  // What the ridge keeps: both eigenvalues at least half of it, but for rounding.
  const auto& [first, mixed, second] = curvature_;
  const double least = 0.5 * params_.ridge;
  if (first < least || second < least || (first - least) * (second - least) < mixed * mixed) {
    archive.refuse("curvature", "is no curvature");
  }
}

}  // namespace plumbline
