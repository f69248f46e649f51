// The cost of the decisions of a test-then-learn run, compared with decisions without a model, in one pass
// and constant memory.
//
// Each example has its own costs. The model's decision has the lowest expected cost (plumbline/decisions.h). Its mean
// cost is compared with that of always deciding negative (a miss for each positive), of always deciding
// positive (a false alarm for each negative), and of deciding at a probability of 1/2 whatever the costs.
//   savings = 1 - cost / min(always negative, always positive)
// (Bahnsen, Aouada & Ottersten, "Example-dependent cost-sensitive logistic regression for credit
// scoring", 2014): 1 is perfect, 0 is as good as ignoring the features, below 0 is worse.
//
// In a stream that kept only a share k of its negatives, each negative stands for 1/k of them. The costs of
// false alarms have been divided by k already (encoding/row_costs.h), and the probabilities are those of
// the stream itself; means and rates are estimates for the whole population.
#pragma once

#include <optional>
#include <span>

#include "plumbline/batch.h"
#include "plumbline/decisions.h"
#include "plumbline/metrics/auc.h"

namespace plumbline::inline v0 {

class CostRecorder {
 public:
  explicit CostRecorder(double negatives_kept = 1) : negatives_kept_(negatives_kept) {}

  // Takes one entry of `costs` per example.
  void add(std::span<const double> probabilities, std::span<const Label> labels,
           std::span<const Costs> costs);

  bool empty() const { return decisions_.total() == 0; }
  // Means over all examples; 0 before the first.
  double cost() const { return mean(cost_); }
  double cost_of_always_no() const { return mean(always_no_); }
  double cost_of_always_yes() const { return mean(always_yes_); }
  double cost_at_half() const { return mean(at_half_); }
  // Empty if the cost without a model is 0.
  std::optional<double> savings() const;
  const Confusion& decisions() const { return decisions_; }
  std::optional<double> auc() const { return auc_.value(); }

 private:
  double mean(double sum) const { return empty() ? 0 : sum / decisions_.total(); }

  double negatives_kept_;
  double cost_ = 0, always_no_ = 0, always_yes_ = 0, at_half_ = 0;  // sums
  Confusion decisions_;
  Auc auc_;
};

}  // namespace plumbline::inline v0
