#include "plumbline/evaluation/cost_recorder.h"

#include <algorithm>

namespace plumbline::inline v0 {

void CostRecorder::add(std::span<const double> probabilities, std::span<const Label> labels,
                       std::span<const Costs> costs) {
  auc_.observe(probabilities, labels);
  // A probability of 1/2 in the whole population is the threshold for costs of 1 (miss) and 1/k (false alarm) here.
  const Costs even{.false_positive = 1 / negatives_kept_};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool decision = decide(probabilities[i], costs[i]);
    cost_ += cost_of(decision, labels[i], costs[i]);
    always_no_ += cost_of(false, labels[i], costs[i]);
    always_yes_ += cost_of(true, labels[i], costs[i]);
    at_half_ += cost_of(decide(probabilities[i], even), labels[i], costs[i]);
    decisions_.add(decision, labels[i], labels[i] != 0 ? 1 : 1 / negatives_kept_);
  }
}

std::optional<double> CostRecorder::savings() const {
  const double without = std::min(always_no_, always_yes_);
  if (without <= 0) return std::nullopt;
  return 1 - cost_ / without;
}

}  // namespace plumbline::inline v0
