// Metrics of probabilities for several classes, in one pass and constant memory. With p_k the
// probability of class k, y the true class and n examples:
//   log-loss     mean of -ln p_y, with p_y clamped to [1e-15, 1 - 1e-15]
//   Brier score  mean of sum_k (p_k - [k = y])^2; for two classes twice that of the binary metric
//   accuracy     share of examples whose most likely class is y; ties go to the first class
//   ECE of k     sum_b (n_b/n) |mean_b - rate_b| over 15 bins of p_k, as in the binary metric
//   ECE          the mean of the above over the classes (classwise ECE; Kull et al. 2019)
//   confusion    counts of the most likely class for each true class
// A class that is added later counts as having had the probability 0 so far.
// Cost: O(K) per example. Memory: O(K^2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/reliability.h"

namespace plumbline::inline v0 {

// The index of the largest probability; of equal ones, the first.
std::size_t likeliest(std::span<const double> probabilities);

class MulticlassMetrics {
 public:
  // Adds classes at the end of the list.
  void grow(std::size_t classes);
  std::size_t classes() const { return counts_.size(); }

  struct LossSums {
    double log_loss = 0, brier = 0;
  };
  // Takes rows x classes probabilities, row-major, and returns the sums of their losses. Throws a data
  // error, and counts nothing, unless all are in [0, 1] and each row has a label below `classes`.
  LossSums observe(std::span<const double> probabilities, std::span<const Label> labels);

  std::uint64_t examples() const { return examples_; }
  std::uint64_t count(std::size_t k) const { return counts_[k]; }
  // All of these are 0 before the first example.
  double log_loss() const { return mean(sums_.log_loss); }
  double brier() const { return mean(sums_.brier); }
  double accuracy() const { return mean(static_cast<double>(right_)); }
  double calibration_error(std::size_t k) const;
  double calibration_error() const;
  std::vector<Bin> reliability(std::size_t k) const { return reliability_[k].bins(); }
  std::uint64_t confusion(std::size_t truth, std::size_t predicted) const {
    return confusion_[truth][predicted];
  }
  // The log-loss and the accuracy of always predicting the final shares of the classes.
  double base_log_loss() const;
  double base_accuracy() const;

 private:
  void check(std::span<const double> probabilities, std::span<const Label> labels) const;
  double mean(double sum) const {
    return examples_ == 0 ? 0 : sum / static_cast<double>(examples_);
  }

  std::uint64_t examples_ = 0, right_ = 0;
  LossSums sums_;
  std::vector<std::uint64_t> counts_;
  std::vector<Reliability> reliability_;
  std::vector<std::vector<std::uint64_t>> confusion_;
  std::vector<double> column_;  // scratch for observe()
  std::vector<Label> is_k_;
};

// The formulas above for one example.
double log_loss(std::span<const double> probabilities, Label label);
double brier(std::span<const double> probabilities, Label label);

}  // namespace plumbline::inline v0
