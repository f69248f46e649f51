// Scores of rows, computed from the learners' weighted votes.
//
//   F(x)          = sum_t beta_t h_t(x),  h_t in {-1, +1}
//   vote_fraction = sum_{t: h_t = +1} beta_t / sum_t beta_t, clamped to [0, 1]   (Eq. scores)
//   logistic      = 1 / (1 + e^{-F})                                             (Eq. scores2)
//   confidence    = (1 + m)/(2 + m), or 1 - that of -m if m < 0, where m is the mean of the learners'
//                   margins, weighted by |beta_t| and with the signs of their votes
//
// As printed, the denominator of Eq. (scores) is sum_t beta_t h_t; the identity s = (1 + margin)/2
// that the paper derives from it, with margin = F / sum_t beta_t, shows that sum_t beta_t is meant.
// Votes measure the agreement of the learners, confidence measures their margins. Its logit is
// ln(1 + m), which limits the influence of Naive Bayes' margins: they grow with the number of features.
// A score without any vote is 1/2. Learners worse than chance have beta_t < 0: see NegativeVotes. If all
// errors are near 1/2 (hardly separable labels, with correctness counted before the update),
// sum_t beta_t is near 0 or negative and the literal vote fraction is unstable; use `flip` or the
// logistic score then.
#pragma once

#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/ensemble.h"

namespace plumbline::inline v0 {

// Sums up the votes on each row of a minibatch, learner by learner.
class VoteTally {
 public:
  // Resets the tally; reusing it allocates nothing.
  void begin(std::size_t rows, NegativeVotes negative);

  void add(double beta, std::span<const double> margins);

  // The score of row i, after all learners were added.
  double score(std::size_t i, ScoreKind kind) const;
  double confidence(std::size_t i) const;

 private:
  NegativeVotes negative_ = NegativeVotes::keep;
  std::vector<double> votes_;     // F(x)
  std::vector<double> positive_;  // the weight of the votes for class 1
  std::vector<double> margins_;   // the weighted sum of the learners' margins
  double total_ = 0;
  double total_size_ = 0;  // the sum of the weights' magnitudes
};

}  // namespace plumbline::inline v0
