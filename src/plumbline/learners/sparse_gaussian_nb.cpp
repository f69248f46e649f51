#include "plumbline/learners/sparse_gaussian_nb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "plumbline/kernels/gaussian_nb_limits.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kPrior = 1;

// The logarithm of a product of many positive factors: exponents are added and mantissas, each in [1, 2), multiplied,
// so that one logarithm suffices.
class LongProduct {
 public:
  void multiply(double factor) {
    mantissa_ *= split(factor);
    if (++pending_ < kernels::kMostFactors) return;
    mantissa_ = split(mantissa_);
    pending_ = 0;
  }
  double log() const {
    return portable_log(mantissa_) + static_cast<double>(exponent_) * std::numbers::ln2;
  }

 private:
  double split(double factor) {
    const auto bits = std::bit_cast<std::uint64_t>(factor);
    exponent_ += static_cast<std::int64_t>(bits >> kExponentShift) - 1023;
    return std::bit_cast<double>((bits & kMantissaBits) | kOneBits);
  }

  double mantissa_ = 1;
  std::int64_t exponent_ = 0;
  std::size_t pending_ = 0;
};

// Keeps factors of a LongProduct from being 0, infinite or denormal.
double bounded(double factor) { return std::clamp(factor, 1e-300, 1e300); }

}  // namespace

SparseGaussianNb::SparseGaussianNb(const GaussianNb::Params& params, FeatureSpace features)
    : params_(params), moments_(kNumbers * features.count) {}

void SparseGaussianNb::learn(Row x, Label y, double weight) {
  if (weight == 0) return;
  weight_[y] += weight;
  present_[y] += weight * static_cast<double>(x.size());
  for (const auto& [feature, value] : x) {
    double* const of = moments_.data() + kNumbers * feature + kOfClass * y;
    of[kWeight] += weight;
    const double share = weight / of[kWeight], delta = value - of[kMean];
    of[kMean] += share * delta;
    of[kVariance] = (1 - share) * (of[kVariance] + share * delta * delta);
  }
}

double SparseGaussianNb::margin(Row x) const {
  for (const Entry& entry : x) __builtin_prefetch(moments_.data() + kNumbers * entry.feature);
  if (weight_[0] == 0 || weight_[1] == 0) return weight_[1] > 0 ? 1 : weight_[0] > 0 ? -1 : 0;
  const double all = weight_[0] + weight_[1];
  const double base[2] = {1 / (weight_[0] + kPrior), 1 / (weight_[1] + kPrior)};
  const double mean_present = (present_[0] + present_[1]) / all;
  const double absent = (present_[1] + kPrior * mean_present) * base[1] -
                        (present_[0] + kPrior * mean_present) * base[0];
  LongProduct ratio;
  ratio.multiply(bounded(weight_[1]));
  ratio.multiply(bounded(1 / bounded(weight_[0])));
  double distance = 0;
  for (const auto& [feature, value] : x) {
    const double* const first = moments_.data() + kNumbers * feature;
    const double* const of[2] = {first, first + kOfClass};
    const double weight = of[0][kWeight] + of[1][kWeight];
    if (weight == 0) continue;
    const double share = of[1][kWeight] / weight, delta = of[1][kMean] - of[0][kMean];
    const double mean = of[0][kMean] + share * delta;
    const double variance =
        (1 - share) * (of[0][kVariance] + share * delta * delta) + share * of[1][kVariance];
    const double floor = std::max(params_.variance_floor, params_.relative_floor * variance);
    double rate[2], spread[2], from[2];
    for (std::size_t c = 0; c < 2; ++c) {
      const double own = of[c][kWeight] / (of[c][kWeight] + kPrior);
      rate[c] = (of[c][kWeight] + kPrior * (weight / all)) * base[c];
      spread[c] = std::max(variance + own * (of[c][kVariance] - variance), floor);
      const double away = value - (mean + own * (of[c][kMean] - mean));
      from[c] = std::min(away * away / spread[c], kernels::kMaxDistance);
    }
    distance += from[0] - from[1];
    ratio.multiply(bounded(rate[1] / rate[0]));
    ratio.multiply(bounded(std::sqrt(spread[0] / spread[1])));
  }
  return ratio.log() + 0.5 * distance - absent;
}

void SparseGaussianNb::learn_each(const Examples& examples, std::span<const double> weights,
                                  const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x.sparse_row(i)); },
      [&](std::size_t i) { learn(examples.x.sparse_row(i), examples.y[i], weights[i]); });
}

void SparseGaussianNb::learn_batch(const Examples& examples, std::span<const double> weights,
                                   Weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn(examples.x.sparse_row(i), examples.y[i], weights[i]);
  }
}

void SparseGaussianNb::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.sparse_row(i));
}

void SparseGaussianNb::archive(Archive& archive) {
  archive.values("weight", weight_);
  archive.values("present", present_);
  archive.values("moments", moments_, moments_.size() / kNumbers);
  archive.require_within("weight", weight_, 0, kMaxState);
  archive.require_within("present", present_, 0, kMaxState);
  for (std::size_t at = 0; archive.loading() && at < moments_.size(); at += kOfClass) {
    archive.require_within("moments", {&moments_[at + kWeight], 1}, 0, kMaxState);
    archive.require_within("moments", {&moments_[at + kMean], 1}, -kMaxMagnitude, kMaxMagnitude);
    archive.require_within("moments", {&moments_[at + kVariance], 1}, 0, kMaxState);
  }
}

}  // namespace plumbline::inline v0
