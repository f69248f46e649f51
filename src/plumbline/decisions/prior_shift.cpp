#include "plumbline/decisions.h"

#include <cmath>

#include "plumbline/math/logit_bins.h"

namespace plumbline::inline v0 {

double scale_odds(double probability, double factor) {
  const double positive = factor * probability;
  return positive / (positive + (1 - probability));
}

double odds_factor(double from, double to) { return (to / (1 - to)) / (from / (1 - from)); }

PriorEstimator::PriorEstimator(double learned)
    : learned_(learned), count_(kLogitBins), logit_sum_(kLogitBins) {}

void PriorEstimator::add(std::span<const double> probabilities) {
  for (const double probability : probabilities) {
    const double logit = limited_logit(probability);
    const std::size_t bin = logit_bin(logit);
    ++count_[bin];
    logit_sum_[bin] += logit;
    ++rows_;
  }
}

// The derivative of sum ln(t r + 1 - t), where r = (p/f)/((1-p)/(1-f)) is the likelihood ratio of a row
// between positives and negatives.
double PriorEstimator::slope(double prior) const {
  const double learned_logit = std::log(learned_ / (1 - learned_));
  double sum = 0;
  for (std::size_t b = 0; b < kLogitBins; ++b) {
    if (count_[b] == 0) continue;
    const double gain = std::expm1(logit_sum_[b] / count_[b] - learned_logit);  // r - 1
    sum += count_[b] * gain / (1 + prior * gain);
  }
  return sum;
}

double PriorEstimator::estimate() const {
  if (rows_ == 0) return learned_;
  double low = 0.5 / static_cast<double>(rows_), high = 1 - low;
  if (slope(low) <= 0) return low;
  if (slope(high) >= 0) return high;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    (slope(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace plumbline::inline v0
