#include "plumbline/math/learned_link.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/loss.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kHalfWay = 2;         // the margin with t = 1/2
constexpr double kLinkMemory = 5000;   // examples
constexpr double kPriorExamples = 30;  // s
constexpr double kProbabilityClip = 1e-6;
constexpr double kMaxLinkSum = 1e18;  // more examples than any stream has

double clipped_probability(double p) {
  return std::clamp(p, kProbabilityClip, 1 - kProbabilityClip);
}

}  // namespace

LearnedLink::Position LearnedLink::position(double margin) {
  const double t = margin / (kHalfWay + std::abs(margin));
  const double at = (t + 1) / 2 * static_cast<double>(kKnots - 1);
  const std::size_t left = std::min(static_cast<std::size_t>(at), kKnots - 2);
  return {left, at - static_cast<double>(left)};
}

double LearnedLink::correction(const Sums& sums) {
  if (sums.weight <= 0) return 0;
  const double q = clipped_probability(sums.predicted / sums.weight);
  const double negative = std::max(sums.weight - sums.positive, 0.0);
  const double odds = (sums.positive + kPriorExamples * q) / (negative + kPriorExamples * (1 - q));
  return portable_log(odds * ((1 - q) / q));
}

double LearnedLink::corrected(double margin) const {
  const auto [left, share] = position(margin);
  return margin + (1 - share) * corrections_[left] + share * corrections_[left + 1];
}

void LearnedLink::learn(double margin, Label y, double weight) {
  const double p = clipped_probability(sigmoid(margin));
  const auto [left, share] = position(margin);
  for (const std::size_t k : {left, left + 1}) {
    const double hat = k == left ? 1 - share : share;
    Sums& sums = sums_[k];
    const double kept = 1 - hat / kLinkMemory, added = weight * hat;
    sums.weight = kept * sums.weight + added;
    sums.predicted = kept * sums.predicted + added * p;
    sums.positive = kept * sums.positive + added * y;
    corrections_[k] = correction(sums);
  }
}

void LearnedLink::archive(Archive& archive) {
  std::array<double, 3 * kKnots> values;
  for (std::size_t k = 0; k < kKnots; ++k) {
    values[3 * k] = sums_[k].weight;
    values[3 * k + 1] = sums_[k].predicted;
    values[3 * k + 2] = sums_[k].positive;
  }
  archive.values("link", values, kKnots);
  if (!archive.loading()) return;
  archive.require_within("link", values, 0, kMaxLinkSum);
  for (std::size_t k = 0; k < kKnots; ++k) {
    sums_[k] = {values[3 * k], values[3 * k + 1], values[3 * k + 2]};
    corrections_[k] = correction(sums_[k]);
  }
}

}  // namespace plumbline::inline v0
