#include "plumbline/ensemble/scores.h"

#include <algorithm>
#include <cmath>

#include "plumbline/learner.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

// The bound of margins, which keeps their sums finite.
constexpr double kMaxMargin = 1e12;

}  // namespace

void VoteTally::begin(std::size_t rows, NegativeVotes negative) {
  negative_ = negative;
  votes_.assign(rows, 0);
  positive_.assign(rows, 0);
  margins_.assign(rows, 0);
  total_ = total_size_ = 0;
}

void VoteTally::add(double beta, std::span<const double> margins) {
  if (beta < 0 && negative_ == NegativeVotes::drop) return;
  const bool flip = beta < 0 && negative_ == NegativeVotes::flip;
  const double weight = flip ? -beta : beta;
  total_ += weight;
  total_size_ += std::abs(weight);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const bool positive = (predicted_class(margins[i]) == 1) != flip;
    votes_[i] += positive ? weight : -weight;
    if (positive) positive_[i] += weight;
    const double margin = std::clamp(margins[i], -kMaxMargin, kMaxMargin);
    margins_[i] += weight * (flip ? -margin : margin);
  }
}

double VoteTally::confidence(std::size_t i) const {
  if (total_size_ == 0) return 0.5;
  const double mean = std::abs(margins_[i] / total_size_), confidence = (1 + mean) / (2 + mean);
  return margins_[i] < 0 ? 1 - confidence : confidence;
}

double VoteTally::score(std::size_t i, ScoreKind kind) const {
  if (kind == ScoreKind::logistic) return sigmoid(votes_[i]);
  // Adding 0 turns -0, which would be printed as "-0", into 0.
  return total_ == 0 ? 0.5 : std::clamp(positive_[i] / total_, 0.0, 1.0) + 0.0;
}

}  // namespace plumbline::inline v0
