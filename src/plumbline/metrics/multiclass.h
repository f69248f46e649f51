// The measures of probabilities for several classes, in one pass and constant memory. With p_k the
// probability of class k, y the true class and n examples:
//   log-loss     mean of -ln p_y, with p_y kept 1e-15 away from 0 and 1
//   Brier score  mean of sum_k (p_k - [k = y])^2; of two classes it is twice that of the binary metric
//   accuracy     share of examples whose likeliest class is y; of equally likely ones the first counts
//   ECE of k     sum_b (n_b/n) |mean_b - rate_b| over 15 bins of p_k, as of the binary metric
//   ECE          the mean of that over the classes (classwise ECE; Kull et al. 2019)
//   confusion    how often each class was the likeliest where each was true
// A class that is added later counts as one that had the probability 0 so far.
// Cost: K for each example. Memory: K^2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/reliability.h"

namespace plumbline::inline v0 {

// The place of the largest probability, the first one of equal ones.
std::size_t likeliest(std::span<const double> probabilities);

class MulticlassMetrics {
 public:
  // Adds classes behind those that are there.
  void grow(std::size_t classes);
  std::size_t classes() const { return counts_.size(); }

  // Rows times classes, row after row. Throws a data error, and counts nothing, unless each is in
  // [0, 1] and there is one label less than `classes` for each row.
  void observe(std::span<const double> probabilities, std::span<const Label> labels);

  std::uint64_t examples() const { return examples_; }
  std::uint64_t count(std::size_t k) const { return counts_[k]; }
  // All of these are 0 before the first example.
  double log_loss() const { return mean(log_loss_sum_); }
  double brier() const { return mean(brier_sum_); }
  double accuracy() const { return mean(static_cast<double>(right_)); }
  double calibration_error(std::size_t k) const;
  double calibration_error() const;
  std::vector<Bin> reliability(std::size_t k) const { return reliability_[k].bins(); }
  std::uint64_t confusion(std::size_t truth, std::size_t predicted) const {
    return confusion_[truth][predicted];
  }
  // The log-loss of always predicting the classes' shares, known in hindsight.
  double base_log_loss() const;

 private:
  void check(std::span<const double> probabilities, std::span<const Label> labels) const;
  double mean(double sum) const {
    return examples_ == 0 ? 0 : sum / static_cast<double>(examples_);
  }

  std::uint64_t examples_ = 0, right_ = 0;
  double log_loss_sum_ = 0, brier_sum_ = 0;
  std::vector<std::uint64_t> counts_;
  std::vector<Reliability> reliability_;
  std::vector<std::vector<std::uint64_t>> confusion_;
  std::vector<double> column_;  // scratch of observe
  std::vector<Label> is_k_;
};

// Of one example: the formulas above.
double log_loss(std::span<const double> probabilities, Label label);
double brier(std::span<const double> probabilities, Label label);

}  // namespace plumbline::inline v0
