#include "plumbline/model/temperature.h"

#include <algorithm>
#include <cmath>

#include "plumbline/batch.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kLow = 0.05, kHigh = 20;

// Mean and variance of the logarithms under q(w).
struct Moments {
  double mean, variance;
};

Moments moments(std::span<const double> logs, double w) {
  const double top = *std::ranges::max_element(logs);
  double sum = 0, first = 0, second = 0;
  for (const double z : logs) {
    const double weight = std::exp(w * (z - top));
    sum += weight;
    first += weight * (z - top);
    second += weight * (z - top) * (z - top);
  }
  const double mean = first / sum;
  return {mean + top, std::max(second / sum - mean * mean, 0.0)};
}

}  // namespace

void Temperature::apply(std::span<double> probabilities) const {
  if (w_ == 1) return;
  double sum = 0;
  const double top = *std::ranges::max_element(probabilities);
  for (double& p : probabilities) {
    p = std::pow(std::max(p, kLogLossClip) / top, w_);
    sum += p;
  }
  for (double& p : probabilities) p /= sum;
}

void Temperature::learn(std::span<const double> probabilities, std::size_t y) {
  logs_.clear();
  for (const double p : probabilities) logs_.push_back(std::log(std::max(p, kLogLossClip)));
  // The derivative A (v - w) + E_v[ln p] - ln p_y increases in v: Newton's method with bracketing. It mostly needs a few
  // steps. If it does not, it may cross a steep part of the derivative for ever, and bisection follows.
  double low = kLow, high = kHigh, v = w_;
  constexpr int kNewtonSteps = 12, kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    const Moments at = moments(logs_, v);
    const double slope = curvature_ * (v - w_) + at.mean - logs_[y];
    (slope > 0 ? high : low) = v;
    double next = v - slope / (curvature_ + at.variance);
    if (!(next >= low && next <= high) || step >= kNewtonSteps) next = (low + high) / 2;
    const bool close = std::abs(next - v) < 1e-12;
    v = next;
    if (close) break;
  }
  w_ = v;
  curvature_ = std::min(curvature_ + moments(logs_, v).variance, kMaxState);
}

void Temperature::archive(Archive& archive) {
  archive.value("value", w_);
  archive.value("curvature", curvature_);
  archive.require_within("value", {&w_, 1}, kLow, kHigh);
  archive.require_within("curvature", {&curvature_, 1}, 1, kMaxState);
}

}  // namespace plumbline::inline v0
