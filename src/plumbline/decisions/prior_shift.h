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
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline {

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

}  // namespace plumbline
