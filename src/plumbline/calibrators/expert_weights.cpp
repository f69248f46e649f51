#include "plumbline/calibrators/expert_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace plumbline::inline v0 {

ExpertWeights::ExpertWeights(std::vector<double> prior, double rate, double share)
    : prior_(std::move(prior)), rate_(rate), share_(share), weights_(prior_) {}

void ExpertWeights::learn(std::span<const double> losses) {
  const double least = *std::ranges::min_element(losses);
  double sum = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    weights_[k] *= std::exp(rate_ * (least - losses[k]));
    sum += weights_[k];
  }
  // The best expert may have had no weight left, if the share is 0.
  const bool lost = !(sum > 0);
  for (std::size_t k = 0; k < size(); ++k) {
    weights_[k] = lost ? prior_[k] : (1 - share_) * (weights_[k] / sum) + share_ * prior_[k];
  }
}

void ExpertWeights::archive(Archive& archive) {
  archive.values("weights", weights_);
  if (!archive.loading()) return;
  archive.require_within("weights", weights_, 0, 1);
  constexpr double kRounding = 1e-9;
  if (std::abs(std::accumulate(weights_.begin(), weights_.end(), 0.0) - 1) > kRounding) {
    archive.refuse("weights", "do not sum to 1");
  }
}

}  // namespace plumbline::inline v0
