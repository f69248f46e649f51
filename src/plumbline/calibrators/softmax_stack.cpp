#include "plumbline/calibrators/softmax_stack.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/linear.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kPriorPrecision = 1;
constexpr double kLargestWeight = 1e3;
constexpr double kLargestCurvature = 1e100;

}  // namespace

void softmax(std::span<double> z) {
  const double top = *std::ranges::max_element(z);
  double sum = 0;
  for (double& value : z) sum += value = std::exp(value - top);
  for (double& value : z) value /= sum;
}

SoftmaxStack::SoftmaxStack(double forgetting, std::size_t sources, std::size_t classes)
    : forgetting_(forgetting),
      sources_(sources),
      classes_(classes),
      interval_(sources + classes),
      kept_(std::pow(forgetting, static_cast<double>(interval_))),
      weights_(sources + classes),
      curvature_(size() * size()),
      factors_(size() * size()),
      z_(classes),
      q_(classes),
      along_(classes),
      direction_(size()),
      mean_(sources) {
  std::fill_n(weights_.begin(), sources_, 1 / static_cast<double>(sources_));
  for (std::size_t i = 0; i < size(); ++i) curvature_[i * size() + i] = kPriorPrecision;
  factors_ = curvature_;
}

// An example adds q (1 - q) times the square of a log-probability, or of 1, to the curvature: little if it is certain.
SoftmaxStack::SoftmaxStack(double forgetting, std::size_t sources, std::span<const double> weights,
                           double examples)
    : SoftmaxStack(forgetting, sources, weights.size() - sources) {
  constexpr double kCurvatureOfExample = 0.1;
  const double remembered = std::min(examples, 1 / (1 - forgetting));
  for (std::size_t i = 0; i < size(); ++i) {
    weights_[i] = std::clamp(weights[i], -kLargestWeight, kLargestWeight);
    curvature_[i * size() + i] += kCurvatureOfExample * remembered;
  }
}

SoftmaxStack SoftmaxStack::with_class() const {
  SoftmaxStack wider(forgetting_, sources_, classes_ + 1);
  std::ranges::copy(weights_, wider.weights_.begin());
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) {
      wider.curvature_[i * wider.size() + j] = curvature_[i * size() + j];
    }
  }
  return wider;
}

void SoftmaxStack::combine(std::span<const double> weights, std::span<const double> logs,
                           std::span<double> combined) const {
  std::ranges::copy(weights.subspan(sources_), combined.begin());
  for (std::size_t m = 0; m < sources_; ++m) {
    for (std::size_t k = 0; k < classes_; ++k) combined[k] += weights[m] * logs[m * classes_ + k];
  }
}

void SoftmaxStack::apply(std::span<const double> logs, std::span<double> probabilities) const {
  combine(weights_, logs, probabilities);
  softmax(probabilities);
}

void SoftmaxStack::forget() {
  const std::size_t d = size();
  const double fresh = (1 - kept_) * kPriorPrecision;
  for (double& entry : curvature_) entry *= kept_;
  for (std::size_t i = 0; i < d; ++i) {
    curvature_[i * d + i] += fresh;
    const double start = i < sources_ ? 1 / static_cast<double>(sources_) : 0;
    direction_[i] = fresh * (weights_[i] - start);
  }
  factors_ = curvature_;
  cholesky_factorise(factors_, d, kPriorPrecision / 2);
  solve_lower(factors_, direction_);
  solve_lower_transposed(factors_, direction_);
  for (std::size_t i = 0; i < d; ++i) weights_[i] -= direction_[i];
}

// H = sum_k q_k x_k x_k' - (sum_k q_k x_k) (sum_k q_k x_k)', where x_k has the logarithms of class k and a one in its
// bias. Only the lower triangle is written.
void SoftmaxStack::add_curvature(std::span<const double> logs, std::span<const double> q,
                                 std::span<double> matrix) {
  const std::size_t d = size();
  const auto log = [&](std::size_t m, std::size_t k) { return logs[m * classes_ + k]; };
  for (std::size_t m = 0; m < sources_; ++m) {
    mean_[m] = 0;
    for (std::size_t k = 0; k < classes_; ++k) mean_[m] += q[k] * log(m, k);
  }
  for (std::size_t m = 0; m < sources_; ++m) {
    for (std::size_t n = 0; n <= m; ++n) {
      for (std::size_t k = 0; k < classes_; ++k) {
        matrix[m * d + n] += q[k] * (log(m, k) - mean_[m]) * (log(n, k) - mean_[n]);
      }
    }
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    double* const row = &matrix[(sources_ + k) * d];
    for (std::size_t m = 0; m < sources_; ++m) row[m] += q[k] * (log(m, k) - mean_[m]);
    for (std::size_t l = 0; l < k; ++l) row[sources_ + l] -= q[k] * q[l];
    row[sources_ + k] += q[k] * (1 - q[k]);
  }
}

void SoftmaxStack::set_direction(std::span<const double> logs, std::size_t y) {
  for (std::size_t m = 0; m < sources_; ++m) {
    direction_[m] = logs[m * classes_ + y];
    for (std::size_t k = 0; k < classes_; ++k) {
      direction_[m] -= q_[k] * logs[m * classes_ + k];
    }
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    direction_[sources_ + k] = (k == y ? 1 : 0) - q_[k];
  }
  solve_lower(factors_, direction_);
  solve_lower_transposed(factors_, direction_);
}

double SoftmaxStack::step_length(std::size_t y) {
  const std::size_t d = size();
  double stiffness = 0;  // d'Ad, from the lower triangle
  for (std::size_t i = 0; i < d; ++i) {
    double row = curvature_[i * d + i] * direction_[i];
    for (std::size_t j = 0; j < i; ++j) row += 2 * curvature_[i * d + j] * direction_[j];
    stiffness += direction_[i] * row;
  }
  const double reach = along_[y] - *std::ranges::min_element(along_);
  if (!(stiffness > 0 && stiffness < kLargestCurvature) || !(reach > 0)) return 0;
  // The derivative t d'Ad - (u_y - E_t[u]) increases in t and is not negative at reach/d'Ad. Newton's method; bisection
  // instead if a step leaves the bracket, or is more than half of the one before: the derivative is flat on both sides
  // of a kink, and Newton's steps could cross it for ever.
  double low = 0, high = reach / stiffness, t = std::min(1.0, high), last = high;
  constexpr int kMostSteps = 100;
  constexpr double kPrecision = 1e-9;
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t k = 0; k < classes_; ++k) q_[k] = z_[k] + t * along_[k];
    softmax(q_);
    double mean = 0, square = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double ahead = along_[k] - along_[y];
      mean += q_[k] * ahead;
      square += q_[k] * ahead * ahead;
    }
    const double slope = t * stiffness + mean;
    (slope > 0 ? high : low) = t;
    double next = t - slope / (stiffness + std::max(square - mean * mean, 0.0));
    if (!(next >= low && next <= high) || std::abs(next - t) > last / 2) next = (low + high) / 2;
    last = std::abs(next - t);
    t = next;
    if (last <= kPrecision * t) break;
  }
  return t;
}

void SoftmaxStack::learn(std::span<const double> logs, std::size_t y) {
  if (learned_ == 0) forget();
  combine(weights_, logs, z_);
  q_ = z_;
  softmax(q_);
  if (learned_ == 0) {
    factors_ = curvature_;
    add_curvature(logs, q_, factors_);
    cholesky_factorise(factors_, size(), kPriorPrecision / 2);
  }
  set_direction(logs, y);
  combine(direction_, logs, along_);
  const double t = step_length(y);
  for (std::size_t i = 0; t > 0 && i < size(); ++i) {
    weights_[i] = std::clamp(weights_[i] + t * direction_[i], -kLargestWeight, kLargestWeight);
  }
  add_curvature(logs, q_, curvature_);  // q is that of the last step of the line search
  learned_ = (learned_ + 1) % interval_;
}

void SoftmaxStack::archive(Archive& archive) {
  const std::size_t d = size();
  archive.values("weights", weights_);
  archive.values("curvature", curvature_, d);
  archive.value("learned", learned_);
  if (learned_ >= interval_) archive.refuse("learned", "is too large");
  // With `learned` 0, the factors are computed anew before they are needed.
  if (learned_ > 0) archive.values("factors", factors_, d);
  if (!archive.loading()) return;
  archive.require_within("weights", weights_, -kLargestWeight, kLargestWeight);
  archive.require_within("curvature", curvature_, -kLargestCurvature, kLargestCurvature);
  // No eigenvalue of A is below that of the prior's precision, up to rounding.
  std::vector<double> copy = curvature_;
  if (!(cholesky_factorise(copy, d, kPriorPrecision / 2) >= kPriorPrecision / 2)) {
    archive.refuse("curvature", "is not positive definite");
  }
  if (learned_ == 0) return;
  archive.require_within("factors", factors_, -kLargestCurvature, kLargestCurvature);
  for (std::size_t i = 0; i < d; ++i) {
    if (!(factors_[i * d + i] >= kPriorPrecision / 2)) {
      archive.refuse("factors", "have too small a number on their diagonal");
    }
  }
}

}  // namespace plumbline::inline v0
