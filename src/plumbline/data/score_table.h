// Tables of scores (plumbline/batch.h), which are reused from one minibatch to the next, and their logits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

// Sigmoids see a score as its logit ln(s/(1 - s)), with s kept this far off 0 and 1, so that no score
// is infinitely far from the others.
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
  }
  std::span<double> column(std::size_t k) { return std::span(values_).subspan(k * rows_, rows_); }
  Scores scores() const { return {values_, rows_}; }

 private:
  std::vector<double> values_;
  std::size_t rows_ = 0;
};

}  // namespace plumbline::inline v0
