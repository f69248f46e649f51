#include "plumbline/math/loss.h"

#include <algorithm>
#include <cmath>

namespace plumbline::inline v0 {

double log_loss(double probability, Label label) {
  const double p = std::clamp(probability, kLogLossClip, 1 - kLogLossClip);
  return -std::log(label ? p : 1 - p);
}

double brier(double probability, Label label) {
  const double error = static_cast<double>(label) - probability;
  return error * error;
}

double sigmoid(double z) {
  if (z >= 0) return 1 / (1 + std::exp(-z));
  const double e = std::exp(z);
  return e / (1 + e);
}

double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

}  // namespace plumbline::inline v0
