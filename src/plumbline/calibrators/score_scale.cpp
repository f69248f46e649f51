#include "plumbline/calibrators/score_scale.h"

#include <algorithm>
#include <cmath>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kMostStandardized = 14;  // beyond it, a probability would be clamped anyway
constexpr double kMostDeviations = 10;
constexpr double kMemory = 200;  // values

}  // namespace

double ScoreScale::standardized(double score) const {
  if (!(deviation_ > 0)) return 0;
  return std::clamp((score - mean_) / deviation_, -kMostStandardized, kMostStandardized);
}

void ScoreScale::learn(double score) {
  if (count_ < static_cast<std::uint64_t>(kMemory)) ++count_;
  if (count_ == 1) {
    mean_ = score;
    return;
  }
  const double rate = 1 / static_cast<double>(count_), away = score - mean_;
  const double most = deviation_ > 0 ? kMostDeviations * deviation_ : std::abs(away);
  deviation_ = deviation_ > 0 ? deviation_ + rate * (std::min(std::abs(away), most) - deviation_)
                              : std::abs(away);
  mean_ += rate * std::clamp(away, -most, most);
}

void ScoreScale::archive(Archive& archive) {
  archive.value("count", count_);
  archive.value("mean", mean_);
  archive.value("deviation", deviation_);
  if (!archive.loading()) return;
  if (count_ > static_cast<std::uint64_t>(kMemory)) archive.refuse("count", "is too large");
  archive.require_within("mean", {&mean_, 1}, -kMaxState, kMaxState);
  archive.require_within("deviation", {&deviation_, 1}, 0, kMaxState);
}

}  // namespace plumbline::inline v0
