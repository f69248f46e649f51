#include "plumbline/calibrators/online_newton.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "plumbline/kernels/small_matrix.h"
#include "plumbline/math/implicit_step.h"
#include "plumbline/math/linear.h"

namespace plumbline::inline v0 {
namespace {

// The largest weight; a slope of 1000 is a step function.
constexpr double kMaxCoefficient = 1e3;
constexpr double kMaxCurvature = 1e100;
// The largest rounding error of a pivot, relative to its diagonal entry.
constexpr double kPivotRounding = 1e-9;

using Vector = std::array<double, OnlineNewton::kMaxWeights>;
using Indices = std::array<std::size_t, OnlineNewton::kMaxWeights>;
using Factors = Ldl<OnlineNewton::kMaxWeights>;
static_assert(OnlineNewton::kMaxWeights <= kernels::kMostMatrixRows);

Indices all_indices() {
  Indices result;
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

}  // namespace

OnlineNewton::OnlineNewton(double forgetting, const Prior& prior)
    : forgetting_(forgetting),
      least_(prior.ridge),
      nonnegative_(prior.nonnegative),
      start_(prior.start),
      precision_(prior.roughness),
      weights_(prior.start) {
  const std::size_t d = size();
  assert(d <= kMaxWeights && nonnegative_ <= d);
  precision_.resize(d * d);
  for (std::size_t i = 0; i < d; ++i) precision_[i * d + i] += prior.ridge;
  curvature_ = precision_;
  covariance_.resize(d * d);
}

double OnlineNewton::linear(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += weights_[i] * x[i];
  return sum;
}

void OnlineNewton::begin() {
  const std::size_t d = size();
  const double kept = std::pow(forgetting_, static_cast<double>(kTogether));
  Vector pull{};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double fresh = (1 - kept) * precision_[i * d + j];
      pull[i] += fresh * (weights_[j] - start_[j]);
      curvature_[i * d + j] = kept * curvature_[i * d + j] + fresh;
    }
  }
  invert();
  if (kept == 1) return;
  Vector moved;
  std::ranges::copy(weights_, moved.begin());
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) moved[i] -= covariance_[j * d + i] * pull[j];
  }
  move_to(std::span(moved).first(d), pull);
}

void OnlineNewton::invert() {
  const std::size_t d = size();
  const Indices all = all_indices();
  // Without rounding errors no pivot would be below the smallest eigenvalue.
  const Factors factors(curvature_, d, std::span(all).first(d), least_);
  factors.invert_into(
      d, covariance_.data(),
      [d](double* row, const double* others, std::size_t count, const double* times,
          std::size_t stride) { kernels::subtract_rows(row, d, others, count, times, stride); });
}

void OnlineNewton::step(std::span<const double> inputs, Label label) {
  const std::size_t d = size();
  Vector x, along;
  std::copy_n(inputs.begin(), d, x.begin());
  kernels::add_rows(covariance_.data(), d, x.data(), along.data());
  double gain = 0;
  for (std::size_t i = 0; i < d; ++i) gain += along[i] * x[i];
  const double before = linear(x), margin = implicit_margin(before, std::max(gain, 0.0), label);
  const LogisticPoint point = logistic_point(margin, label);
  const double residual = point.residual, curvature = point.curvature;
  // The quadratic model of the loss at the new margin, expanded around the old weights.
  const double slope = curvature * (before - margin) - residual;
  const double gain_factor = curvature / (1 + curvature * gain);
  Vector moved, gradient;
  for (std::size_t i = 0; i < d; ++i) {
    moved[i] = weights_[i] + residual * along[i];
    gradient[i] = slope * x[i];
  }
  kernels::add_square(curvature_.data(), d, curvature, x.data());
  // Sherman & Morrison, 1950
  kernels::add_square(covariance_.data(), d, -gain_factor, along.data());
  move_to(std::span(moved).first(d), gradient);
}

void OnlineNewton::move_to(std::span<double> moved, std::span<const double> gradient) {
  keep_bounds(moved, gradient);
  for (std::size_t i = 0; i < size(); ++i) {
    weights_[i] = std::clamp(moved[i], -kMaxCoefficient, kMaxCoefficient);
  }
}

// Setting negative weights to 0 without solving again would not give the constrained minimum
// (Bertsekas, "Projected Newton methods", 1982).
void OnlineNewton::keep_bounds(std::span<double> moved, std::span<const double> gradient) const {
  const std::size_t d = size();
  Indices indices = all_indices();
  std::span<std::size_t> free = std::span(indices).first(d);
  for (;;) {
    const auto negative = [&](std::size_t i) { return i < nonnegative_ && moved[i] < 0; };
    const auto end = std::remove_if(free.begin(), free.end(), negative);
    if (end == free.end()) return;
    free = free.first(static_cast<std::size_t>(end - free.begin()));

    std::ranges::copy(weights_, moved.begin());
    std::fill_n(moved.begin(), nonnegative_, 0);
    for (const std::size_t i : free) moved[i] = weights_[i];
    Vector step;
    for (std::size_t k = 0; k < free.size(); ++k) {
      step[k] = -gradient[free[k]];
      for (std::size_t j = 0; j < nonnegative_; ++j) {
        step[k] -= curvature_[free[k] * d + j] * (moved[j] - weights_[j]);
      }
    }
    Factors(curvature_, d, free, least_).solve(std::span(step).first(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k) moved[free[k]] += step[k];
  }
}

// Files from before these examples were counted over several minibatches have neither.
void OnlineNewton::archive_inverse(Archive& archive) {
  if (archive.loading() && !archive.has("learned")) {
    learned_ = 0;
    return;
  }
  archive.value("learned", learned_);
  if (learned_ >= kTogether) archive.refuse("learned", "is too large");
  // The inverse is computed anew before it is needed; equal states have equal files.
  if (learned_ == 0 && !archive.loading()) {
    std::vector<double> unused(covariance_.size());
    return archive.values("covariance", unused, size());
  }
  archive.values("covariance", covariance_, size());
  // No eigenvalue of A is below that of the prior's precision, up to rounding.
  archive.require_within("covariance", covariance_, -1.001 / least_, 1.001 / least_);
}

void OnlineNewton::archive(Archive& archive) {
  const std::size_t d = size();
  archive.values("weights", weights_);
  archive.values("curvature", curvature_, d);
  archive_inverse(archive);
  if (!archive.loading()) return;
  archive.require_within("weights", weights_, -kMaxCoefficient, kMaxCoefficient);
  archive.require_within("weights", std::span(weights_).first(nonnegative_), 0, kMaxCoefficient);
  archive.require_within("curvature", curvature_, -kMaxCurvature, kMaxCurvature);
  const Indices all = all_indices();
  const Factors factors(curvature_, d, std::span(all).first(d), -kMaxCurvature);
  for (std::size_t i = 0; i < d; ++i) {
    const double diagonal = curvature_[i * d + i];
    // The diagonal is at least the prior's precision, up to rounding.
    bool sound = diagonal >= 0.5 * least_ && factors.pivot(i) > -kPivotRounding * diagonal;
    for (std::size_t j = 0; j < i; ++j) sound &= curvature_[i * d + j] == curvature_[j * d + i];
    if (!sound) archive.refuse("curvature", "is not positive definite");
  }
}

}  // namespace plumbline::inline v0
