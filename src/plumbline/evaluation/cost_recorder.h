// What the decisions of a test-then-learn run cost, beside what they would have cost without a model, in
// one pass and constant memory.
//
// Each example has its own costs. The model's decision is the cheapest one (plumbline/decisions.h). Its mean
// cost stands beside that of always saying no (a miss for each positive), of always saying yes (a
// false alarm for each negative), and of deciding at a probability of 1/2 whatever the costs.
//   savings = 1 - cost / min(always no, always yes)
// (Bahnsen, Aouada & Ottersten, "Example-dependent cost-sensitive logistic regression for credit
// scoring", 2014): 1 is perfect, 0 no better than not looking, below 0 worse than that.
//
// Of a stream that kept only a share k of its negatives, each stands for 1/k of them. Its costs of
// false alarms have been divided by k already (encoding/row_costs.h), and its probabilities are those of
// the stream itself; means and rates are estimates for the whole.
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

  // One cost for each example.
  void add(std::span<const double> probabilities, std::span<const Label> labels,
           std::span<const Costs> costs);

  bool empty() const { return decisions_.total() == 0; }
  // Means over all examples; 0 before the first.
  double cost() const { return mean(cost_); }
  double cost_of_always_no() const { return mean(always_no_); }
  double cost_of_always_yes() const { return mean(always_yes_); }
  double cost_at_half() const { return mean(at_half_); }
  // Nothing where not looking costs nothing.
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
