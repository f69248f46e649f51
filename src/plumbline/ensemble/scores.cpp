#include "plumbline/ensemble/scores.h"

#include <algorithm>
#include <cmath>

#include "plumbline/core/loss.h"
#include "plumbline/learners/learner.h"

namespace plumbline {

VoteTally::VoteTally(std::span<double> votes, std::span<double> positive, NegativeVotes negative)
    : votes_(votes), positive_(positive), negative_(negative) {
  std::fill(votes_.begin(), votes_.end(), 0.0);
  std::fill(positive_.begin(), positive_.end(), 0.0);
}

void VoteTally::add(double beta, std::span<const double> margins) {
  if (beta < 0 && negative_ == NegativeVotes::drop) return;
  const bool flip = beta < 0 && negative_ == NegativeVotes::flip;
  const double weight = flip ? -beta : beta;
  total_ += weight;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const bool positive = (vote(margins[i]) == 1) != flip;
    votes_[i] += positive ? weight : -weight;
    if (positive) positive_[i] += weight;
  }
}

double VoteTally::margin(std::size_t i) const {
  return total_ == 0 ? 0 : std::clamp(votes_[i] / total_, -1.0, 1.0);
}

double VoteTally::score(std::size_t i, ScoreKind kind) const {
  if (kind == ScoreKind::logistic) return sigmoid(votes_[i]);
  // Adding 0 turns a negative zero, which would print as "-0", into a zero.
  return total_ == 0 ? 0.5 : std::clamp(positive_[i] / total_, 0.0, 1.0) + 0.0;
}

}  // namespace plumbline
