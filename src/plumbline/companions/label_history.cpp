#include "plumbline/companions/label_history.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kRateCount = LabelHistory::kRates.size();
constexpr double kClip = 0.001;

// base^exponent, whose bits depend on nothing else. Beyond 10,000 every rate has forgotten all labels.
double power(double base, std::size_t exponent) {
  double result = 1;
  for (std::size_t left = std::min<std::size_t>(exponent, 10000); left > 0; left /= 2) {
    if (left % 2 == 1) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace

LabelHistory::LabelHistory(const Params&, const CompanionUse& use)
    : several_(use.several_classes),
      counts_(use.several_classes ? 0 : 2),
      sums_(counts_.size() * kRateCount) {}

void LabelHistory::learn(const Examples& examples) {
  for (const Label label : examples.y) {
    counts_[label] += 1;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      for (std::size_t r = 0; r < kRateCount; ++r) sums_[k * kRateCount + r] *= 1 - kRates[r];
    }
    for (std::size_t r = 0; r < kRateCount; ++r) {
      sums_[label * kRateCount + r] += kRates[r];
      weights_[r] = (1 - kRates[r]) * weights_[r] + kRates[r];
    }
  }
}

void LabelHistory::margins(const Batch& batch, std::size_t ahead, std::span<double> margins) const {
  const std::size_t classes = counts_.size(), first = several_ ? 0 : 1;
  const double total = std::reduce(counts_.begin(), counts_.end());
  std::size_t at = 0;
  for (std::size_t r = 0; r < kRateCount; ++r) {
    for (std::size_t k = first; k < classes; ++k) {
      const double base = (counts_[k] + 0.5) / (total + 0.5 * static_cast<double>(classes));
      const double difference = sums_[k * kRateCount + r] - weights_[r] * base;
      for (std::size_t i = 0; i < batch.rows; ++i) {
        const double kept = power(1 - kRates[r], ahead + i);
        const double q = std::clamp(base + kept * difference, kClip, 1 - kClip);
        margins[at++] = portable_log(q / (1 - q));
      }
    }
  }
}

void LabelHistory::add_class() {
  counts_.push_back(0);
  sums_.resize(counts_.size() * kRateCount);
}

void LabelHistory::archive(Archive& archive) {
  archive.values("counts", counts_);
  archive.values("weights", weights_);
  archive.values("sums", sums_);
  if (!archive.loading()) return;
  archive.require_within("counts", counts_, 0, kMaxState);
  archive.require_within("weights", weights_, 0, 1);
  archive.require_within("sums", sums_, 0, 1);
}

}  // namespace plumbline::inline v0
