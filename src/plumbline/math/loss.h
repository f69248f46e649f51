// The losses that metrics, rewards and calibrators share, as functions of the probability of the
// positive class and the label. All are finite for every probability in [0, 1].
#pragma once

#include <span>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// The distance of probabilities from 0 and 1 inside the logarithm, as in scikit-learn's log_loss when
// the paper was written.
inline constexpr double kLogLossClip = 1e-15;

// -ln p(y); the paper's Eq. (logloss) for one example.
double log_loss(double probability, Label label);
// (y - p)^2.
double brier(double probability, Label label);

// 1/(1+e^-z) and ln(1+e^z), without overflow.
double sigmoid(double z);
double softplus(double z);

// The mean of `loss(probability, label)` over a minibatch; 0 for an empty one.
template <class Loss>
double mean_loss(std::span<const double> probabilities, std::span<const Label> labels, Loss loss) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) sum += loss(probabilities[i], labels[i]);
  return labels.empty() ? 0 : sum / static_cast<double>(labels.size());
}

}  // namespace plumbline::inline v0
