#include "plumbline/calibrators/spline.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plumbline/math/loss.h"

namespace plumbline {
namespace {

// One weight is the intercept's.
constexpr auto kMaxKnots = static_cast<double>(OnlineNewton::kMaxWeights - 1);

// The integral of the hat max(0, 1 - |u|) from minus infinity to u.
double hat_integral(double u) {
  if (u <= -1) return 0;
  if (u >= 1) return 1;
  return u < 0 ? 0.5 * (1 + u) * (1 + u) : 1 - 0.5 * (1 - u) * (1 - u);
}

// The integral of min(1, max(0, 1 - u)) from 0 to u: the first hat goes on to the left.
double left_integral(double u) {
  if (u <= 0) return u;
  return u >= 1 ? 0.5 : u - 0.5 * u * u;
}

OnlineNewton::Prior prior(const Spline::Params& params) {
  const auto knots = static_cast<std::size_t>(params.knots), d = knots + 1;
  OnlineNewton::Prior result{.start = std::vector<double>(d, 1),
                             .ridge = params.ridge,
                             .roughness = std::vector<double>(d * d),
                             .nonnegative = knots};
  result.start[knots] = 0;
  for (std::size_t i = 0; i + 1 < knots; ++i) {
    const std::size_t j = i + 1;
    result.roughness[i * d + i] += params.smoothness;
    result.roughness[j * d + j] += params.smoothness;
    result.roughness[i * d + j] -= params.smoothness;
    result.roughness[j * d + i] -= params.smoothness;
  }
  return result;
}

}  // namespace

void Spline::Params::visit(OptionVisitor& visitor) {
  visitor.integer("knots", knots, Range::closed(2, kMaxKnots), "where the slope can change");
  visitor.real("reach", reach, Range::closed(0.1, 13), "the logit of the outermost knots");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "what the past keeps of its weight with each example; 1 forgets nothing");
  visitor.real("ridge", ridge, Range::closed(1e-6, 1e6),
               "weight of the beginning, the raw score, in examples' worth of curvature");
  visitor.real("smoothness", smoothness, Range::closed(0, 1e6),
               "weight of neighbouring slopes being equal");
}

Spline::Spline(const Params& params)
    : params_(params),
      knots_(static_cast<std::size_t>(params.knots)),
      gap_(2 * params.reach / static_cast<double>(params.knots - 1)),
      newton_(params.forgetting, prior(params)) {}

Spline::Inputs Spline::inputs(double logit) const {
  const double place = (logit + params_.reach) / gap_;  // in knots, from the first
  const double zero = params_.reach / gap_;
  const auto last = static_cast<double>(knots_ - 1);
  Inputs result;
  result[0] = gap_ * (left_integral(place) - left_integral(zero));
  for (std::size_t j = 1; j + 1 < knots_; ++j) {
    const auto knot = static_cast<double>(j);
    result[j] = gap_ * (hat_integral(place - knot) - hat_integral(zero - knot));
  }
  // The last hat is the first one's mirror image.
  result[knots_ - 1] = gap_ * (left_integral(last - zero) - left_integral(last - place));
  result[knots_] = 1;
  return result;
}

void Spline::calibrate(const Scores& scores, std::span<const Label> labels) {
  newton_.learn(labels, [&](std::size_t i) { return inputs(scores.logit(0, i)); });
  fitted_ = true;
}

void Spline::apply(const Scores& scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    probabilities[i] =
        fitted_ ? sigmoid(newton_.linear(inputs(scores.logit(0, i)))) : scores.kind(0)[i];
  }
}

void Spline::archive(Archive& archive) {
  newton_.archive(archive);
  archive.value("fitted", fitted_);
}

}  // namespace plumbline
