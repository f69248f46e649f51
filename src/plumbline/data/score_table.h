// Tables of scores (plumbline/batch.h), reused from one minibatch to the next, and their logits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// The distance of scores from 0 and 1 in their logit ln(s/(1 - s)), which keeps it finite.
inline constexpr double kScoreClip = 1e-6;

inline double clipped_score(double score) { return std::clamp(score, kScoreClip, 1 - kScoreClip); }

inline double score_logit(double score) {
  const double s = clipped_score(score);
  return std::log(s / (1 - s));
}

class ScoreTable {
 public:
  void resize(std::size_t columns, std::size_t rows) {
    rows_ = rows;
    values_.resize(columns * rows);
    logits_.clear();
  }
  std::span<double> column(std::size_t k) { return std::span(values_).subspan(k * rows_, rows_); }
  // The columns [first, first + count).
  std::span<double> columns(std::size_t first, std::size_t count) {
    return std::span(values_).subspan(first * rows_, count * rows_);
  }
  // Computes the logits of the first columns, for all readers of `scores` until the table changes.
  void compute_logits(std::size_t columns) {
    logits_.resize(columns * rows_);
    std::transform(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(logits_.size()),
                   logits_.begin(), score_logit);
  }
  Scores scores() const { return {values_, rows_, logits_}; }

 private:
  std::vector<double> values_, logits_;
  std::size_t rows_ = 0;
};

}  // namespace plumbline::inline v0
