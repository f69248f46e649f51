// From the learners' weighted votes to one score per row.
//
//   F(x)          = sum_t beta_t h_t(x),  h_t in {-1, +1}
//   vote_fraction = sum_{t: h_t = +1} beta_t / sum_t beta_t, clamped to [0, 1]   (Eq. scores)
//   logistic      = 1 / (1 + e^{-F})                                             (Eq. scores2)
//   confidence    = (1 + m)/(2 + m), or 1 - that of -m if m < 0, where m is the mean of the learners'
//                   own margins, weighted by |beta_t| and with the sign that their votes have
//
// As printed, the denominator of Eq. (scores) is sum_t beta_t h_t; the identity s = (1 + margin)/2
// that the paper derives from it, with margin = F / sum_t beta_t, shows that sum_t beta_t is meant.
// Votes say how many learners agree, confidence how sure they are; its logit is ln(1 + m), so that the
// margins of Naive Bayes, which grow with the number of features, do not drown the rest.
// A score without any vote is 1/2. Learners that are worse than chance have beta_t < 0: see
// NegativeVotes. Where all errors are near 1/2 (labels that the features hardly tell apart, with
// correctness counted before the update), sum_t beta_t is near 0 or negative and the literal vote
// fraction is wild: use `flip` or the logistic score there.
#pragma once

#include <span>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/ensemble.h"

namespace plumbline::inline v0 {

// Sums up the votes on each row of a minibatch, learner by learner.
class VoteTally {
 public:
  // Forgets everything; a tally that is used again allocates nothing.
  void begin(std::size_t rows, NegativeVotes negative);

  void add(double beta, std::span<const double> margins);

  // Of row i, after all learners were added.
  double score(std::size_t i, ScoreKind kind) const;
  double confidence(std::size_t i) const;

 private:
  NegativeVotes negative_ = NegativeVotes::keep;
  std::vector<double> votes_;     // F(x)
  std::vector<double> positive_;  // the weight of the votes for class 1
  std::vector<double> sure_;      // the sum of the learners' margins by their weight
  double total_ = 0;
  double total_size_ = 0;  // of the weights without their signs
};

}  // namespace plumbline::inline v0
