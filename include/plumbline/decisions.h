// Decisions of the lowest expected cost (Elkan, "The foundations of cost-sensitive learning", 2001).
// Deciding positive costs (1 - p) false_positive on average, deciding negative costs
// p false_negative. The decision is positive if
//   p false_negative > (1 - p) false_positive,
// that is p > false_positive/(false_positive + false_negative). Ties, also with both costs 0, are
// negative. If the probabilities are right, no other rule has a lower expected cost. Cost: O(1).
//
// `Confusion` counts decisions by their outcome and computes the usual rates:
//   recall             TP/(TP + FN)     share of the positives that were found
//   precision          TP/(TP + FP)     share of the alarms that were right
//   F1                 2 TP/(2 TP + FP + FN), the harmonic mean of the two
//   balanced accuracy  the mean of recall and TN/(TN + FP)
// A rate whose divisor is 0 has no value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"

PLUMBLINE_BEGIN_NAMESPACE

// The decision of lowest expected cost; true for positive.
bool decide(double probability, const Costs& costs);
// The cost of a decision, given the label.
double cost_of(bool decision, Label label, const Costs& costs);
// The cost of `decide`'s decision, given the label.
double decision_cost(double probability, Label label, const Costs& costs);

struct Confusion {
  double true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;

  // A weight of -1 removes an example.
  void add(bool decision, Label label, double weight = 1);

  double total() const;
  std::optional<double> recall() const;
  std::optional<double> precision() const;
  std::optional<double> f1() const;
  std::optional<double> balanced_accuracy() const;
};

// ---- Prior shift
//
// Probabilities for a population whose share of positives differs from that of the training data.
//
// If only the share of positives changes, and not the distribution of the features within each class,
// then the odds change by a constant factor (Saerens, Latinne & Decaestecker, "Adjusting the outputs
// of a classifier to new a priori probabilities", 2002):
//   p' = (t/f) p / ((t/f) p + ((1-t)/(1-f)) (1-p)),
// where f is the share in the training data and t that of the population. Undersampling is one such
// case: if a share k of the negatives was kept, the factor is k (Dal Pozzolo et al., 2015).
//
// `PriorEstimator` estimates t from probabilities of unlabelled rows by maximum likelihood. The EM
// steps of Saerens et al., t <- mean of p', have the same limit. The derivative of the log-likelihood
// decreases in t, so 60 bisections find its zero to 1e-18, where EM may converge slowly. Rows are
// stored as counts and mean log-odds in fixed bins (math/logit_bins.h). Memory: 64 KiB for any number
// of rows. Cost: O(1) per row. Within a bin of width w the error of the mean of p' is at most
// max|sigmoid''| (w/2)^2/2 < 4e-6.

// The probability whose odds are `factor` times as high; 0 and 1 are unchanged.
double scale_odds(double probability, double factor);
// The factor of the odds for a change of the share of positives; both shares are above 0 and below 1.
double odds_factor(double from, double to);

class PriorEstimator {
 public:
  // `learned`: the share of positives in the training data, above 0 and below 1.
  explicit PriorEstimator(double learned);

  void add(std::span<const double> probabilities);
  std::uint64_t rows() const { return rows_; }
  // In [1/(2n), 1 - 1/(2n)] for n rows, so that no row becomes impossible or certain; the learned share before the
  // first row.
  double estimate() const;

 private:
  double slope(double prior) const;

  double learned_;
  std::uint64_t rows_ = 0;
  std::vector<double> count_, logit_sum_;  // per bin
};

PLUMBLINE_END_NAMESPACE
