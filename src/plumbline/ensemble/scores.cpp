#include "plumbline/ensemble/scores.h"

#include <algorithm>
#include <cmath>

#include "plumbline/learner.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

// Beyond this a margin is as good as infinite, and sums must stay finite.
constexpr double kMostSure = 1e12;

}  // namespace

void VoteTally::begin(std::size_t rows, NegativeVotes negative) {
  negative_ = negative;
  votes_.assign(rows, 0);
  positive_.assign(rows, 0);
  sure_.assign(rows, 0);
  total_ = total_size_ = 0;
}

void VoteTally::add(double beta, std::span<const double> margins) {
  if (beta < 0 && negative_ == NegativeVotes::drop) return;
  const bool flip = beta < 0 && negative_ == NegativeVotes::flip;
  const double weight = flip ? -beta : beta;
  total_ += weight;
  total_size_ += std::abs(weight);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const bool positive = (vote(margins[i]) == 1) != flip;
    votes_[i] += positive ? weight : -weight;
    if (positive) positive_[i] += weight;
    const double margin = std::clamp(margins[i], -kMostSure, kMostSure);
    sure_[i] += weight * (flip ? -margin : margin);
  }
}

double VoteTally::confidence(std::size_t i) const {
  if (total_size_ == 0) return 0.5;
  const double mean = std::abs(sure_[i] / total_size_), sure = (1 + mean) / (2 + mean);
  return sure_[i] < 0 ? 1 - sure : sure;
}

double VoteTally::score(std::size_t i, ScoreKind kind) const {
  if (kind == ScoreKind::logistic) return sigmoid(votes_[i]);
  // Adding 0 turns a negative zero, which would print as "-0", into a zero.
  return total_ == 0 ? 0.5 : std::clamp(positive_[i] / total_, 0.0, 1.0) + 0.0;
}

}  // namespace plumbline::inline v0
