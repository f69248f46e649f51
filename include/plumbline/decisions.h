// From a probability to a decision: the one with the lower expected cost (Elkan, "The foundations of
// cost-sensitive learning", 2001). Saying yes costs (1 - p) false_positive on average, saying no
// costs p false_negative; so yes is decided where
//   p false_negative > (1 - p) false_positive,
// which is p > false_positive/(false_positive + false_negative). A tie is no, also where both costs are 0.
// No other rule has a lower expected cost if the probabilities are right. Cost: O(1).
//
// `Confusion` counts how decisions turned out, and has the usual rates:
//   recall             TP/(TP + FN)     of the positives, how many were found
//   precision          TP/(TP + FP)     of the alarms, how many were right
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

bool decide(double probability, const Costs& costs);
// The cost of a decision, given the label.
double cost_of(bool decision, Label label, const Costs& costs);
// The cost of the cheapest decision, given the label.
double decision_cost(double probability, Label label, const Costs& costs);

struct Confusion {
  double true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;

  // A weight of -1 takes an example back.
  void add(bool decision, Label label, double weight = 1);

  double total() const;
  std::optional<double> recall() const;
  std::optional<double> precision() const;
  std::optional<double> f1() const;
  std::optional<double> balanced_accuracy() const;
};

// ---- Another share of positives
//
// Probabilities for a population with another share of positives than the one they were learned on.
//
// If only the share of positives changes, and not what positives and negatives look like, then the
// odds change by a constant factor (Saerens, Latinne & Decaestecker, "Adjusting the outputs of a
// classifier to new a priori probabilities", 2002):
//   p' = (t/f) p / ((t/f) p + ((1-t)/(1-f)) (1-p)),
// f being the share that p was learned with and t that of the population. A stream of which only a
// share k of the negatives was kept is such a case: the factor is k (Dal Pozzolo et al., 2015).
//
// `PriorEstimator` finds t from probabilities of rows without labels: the value with the greatest
// likelihood, to which the EM steps of Saerens et al., t <- mean of p', lead too. The derivative of
// the log-likelihood falls with t, so that 60 halvings find its zero to 1e-18, where EM may crawl.
// Rows are kept as counts and mean log-odds of fixed bins (math/logit_bins.h): 64 KiB, whatever
// their number, O(1) for each row. Within a bin of width w the mean of p' is off by no more than
// max|sigmoid''| (w/2)^2/2 < 4e-6.

// The probability whose odds are `factor` times as high; 0 and 1 stay what they are.
double scale_odds(double probability, double factor);
// By how much odds change from one share of positives to another, each above 0 and below 1.
double odds_factor(double from, double to);

class PriorEstimator {
 public:
  // The share of positives that the probabilities were learned with, above 0 and below 1.
  explicit PriorEstimator(double learned);

  void add(std::span<const double> probabilities);
  std::uint64_t rows() const { return rows_; }
  // At least 1/(2n) and at most 1 - 1/(2n) for n rows, so that no row becomes impossible or certain; the
  // learned share before the first row.
  double estimate() const;

 private:
  double slope(double prior) const;

  double learned_;
  std::uint64_t rows_ = 0;
  std::vector<double> count_, logit_sum_;  // of each bin
};

PLUMBLINE_END_NAMESPACE
