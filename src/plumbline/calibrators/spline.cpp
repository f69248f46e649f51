#include "plumbline/calibrators/spline.h"

#include <vector>

namespace plumbline::inline v0 {
namespace {

constexpr double kMaxKnots = 15;
static_assert(kMaxKnots < OnlineNewton::kMaxWeights);  // one weight is the intercept's

// The integral of the hat max(0, 1 - |u|) from minus infinity to u.
double hat_integral(double u) {
  if (u <= -1) return 0;
  if (u >= 1) return 1;
  return u < 0 ? 0.5 * (1 + u) * (1 + u) : 1 - 0.5 * (1 - u) * (1 - u);
}

// The integral of min(1, max(0, 1 - u)) from 0 to u: the first hat is constant to the left.
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
  visitor.integer("knots", knots, Range::closed(2, kMaxKnots), "number of knots of the slope");
  visitor.real("reach", reach, Range::closed(0.1, 13), "logit of the outermost knots");
  NewtonParams newton{.forgetting = forgetting, .ridge = ridge};
  newton.visit(visitor);
  forgetting = newton.forgetting;
  ridge = newton.ridge;
  visitor.real("smoothness", smoothness, Range::closed(0, 1e6),
               "weight of the penalty on differences of neighboring slopes");
}

std::array<double, OnlineNewton::kMaxWeights> SplineInputs::operator()(const Scores& scores,
                                                                       std::size_t row) const {
  const double position = (scores.logit(0, row) + reach) / gap;  // in knots, from the first
  const double zero = reach / gap;
  const auto last = static_cast<double>(knots - 1);
  std::array<double, OnlineNewton::kMaxWeights> result;  // the rest is not initialised
  result[0] = gap * (left_integral(position) - left_integral(zero));
  for (std::size_t j = 1; j + 1 < knots; ++j) {
    const auto knot = static_cast<double>(j);
    result[j] = gap * (hat_integral(position - knot) - hat_integral(zero - knot));
  }
  // The last hat mirrors the first one.
  result[knots - 1] = gap * (left_integral(last - zero) - left_integral(last - position));
  result[knots] = 1;
  return result;
}

template class NewtonCalibrator<SplineInputs>;

Spline::Spline(const Params& params)
    : NewtonCalibrator({.knots = static_cast<std::size_t>(params.knots),
                        .reach = params.reach,
                        .gap = 2 * params.reach / static_cast<double>(params.knots - 1)},
                       params.forgetting, prior(params)) {}

}  // namespace plumbline::inline v0
