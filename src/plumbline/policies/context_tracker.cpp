#include "plumbline/policies/context_tracker.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/loss.h"
#include "plumbline/math/unit_bins.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kManyRounds = 10;
constexpr double kBinsKeep = 0.95;
constexpr double kFastKeeps = 0.8, kSlowKeeps = 0.98;
constexpr double kDriftKeeps = 0.9;
// More rounds than any stream has.
constexpr std::uint64_t kMaxRounds = std::uint64_t{1} << 62;
constexpr double kMaxCount = 1e18;

}  // namespace

void ContextTracker::observe(std::span<const double> probabilities, std::span<const Label> labels,
                             double loss) {
  const auto rounds = static_cast<double>(since_);
  context_[kSinceCalibration] = rounds / (rounds + kManyRounds);
  context_[kCalibrationError] = calibration_error(probabilities, labels);
  context_[kLossTrend] = loss_trend(loss);
  context_[kDrift] = drift(probabilities, labels);
}

double ContextTracker::calibration_error(std::span<const double> probabilities,
                                         std::span<const Label> labels) {
  for (double& count : count_) count *= kBinsKeep;
  for (double& gap : gap_) gap *= kBinsKeep;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t bin = bin_of(probabilities[i], kBins);
    count_[bin] += 1;
    gap_[bin] += probabilities[i] - labels[i];
  }
  double gaps = 0, all = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    gaps += std::abs(gap_[b]);
    all += count_[b];
  }
  return std::min(1.0, gaps / all);  // a round has examples, so that `all` is above 0
}

double ContextTracker::loss_trend(double loss) {
  fast_ = begun_ ? kFastKeeps * fast_ + (1 - kFastKeeps) * loss : loss;
  slow_ = begun_ ? kSlowKeeps * slow_ + (1 - kSlowKeeps) * loss : loss;
  begun_ = true;
  return fast_ == slow_ ? 0 : (fast_ - slow_) / (fast_ + slow_);
}

double ContextTracker::drift(std::span<const double> probabilities, std::span<const Label> labels) {
  const double before = adwin_.mean();
  bool shrank = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double loss = log_loss(probabilities[i], labels[i]);
    if (adwin_.add(loss / (1 + loss))) shrank = true;
  }
  if (!shrank) return kDriftKeeps * context_[kDrift];
  return adwin_.mean() > before ? 1 : -1;
}

void ContextTracker::archive(Archive& archive) {
  archive.values("context", context_);
  archive.value("since_calibration", since_);
  archive.values("count", count_);
  archive.values("gap", gap_);
  archive.value("begun", begun_);
  archive.value("fast_loss", fast_);
  archive.value("slow_loss", slow_);
  archive.require_within("context", context_, -1, 1);
  archive.require_within("count", count_, 0, kMaxCount);
  archive.require_within("gap", gap_, -kMaxCount, kMaxCount);
  archive.require_within("fast_loss", {&fast_, 1}, 0, kMaxState);
  archive.require_within("slow_loss", {&slow_, 1}, 0, kMaxState);
  if (archive.loading() && since_ > kMaxRounds) archive.refuse("since_calibration", "is too large");
  archive.scope("adwin", [&](Archive& inner) { adwin_.archive(inner); });
}

}  // namespace plumbline::inline v0
