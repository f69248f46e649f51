// Uncalibrated scores of a minibatch: one or more per row, in [0, 1], higher means more likely
// positive. They are a table of one column per kind of score. The first column is "the score" of
// reports and of plain calibrators; the others score the same rows in other ways.
//
// `Scores` is a view and owns nothing; `ScoreTable` owns its numbers and is reused. Several readers of
// the same scores may share their logits, computed once for all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace plumbline {

// Sigmoids see a score as its logit ln(s/(1 - s)), with s kept this far off 0 and 1, so that no score
// is infinitely far from the others.
inline constexpr double kScoreClip = 1e-6;

inline double clipped_score(double score) { return std::clamp(score, kScoreClip, 1 - kScoreClip); }

inline double score_logit(double score) {
  const double s = clipped_score(score);
  return std::log(s / (1 - s));
}

struct Scores {
  Scores(std::span<const double> all, std::size_t row_count,
         std::span<const double> shared_logits = {})
      : values(all), rows(row_count), logits(shared_logits) {}
  // One score for each row.
  Scores(std::span<const double> only) : values(only), rows(only.size()) {}
  Scores(const std::vector<double>& only) : Scores(std::span<const double>(only)) {}

  std::size_t columns() const { return rows == 0 ? 0 : values.size() / rows; }
  std::span<const double> column(std::size_t k) const { return values.subspan(k * rows, rows); }
  double logit(std::size_t k, std::size_t row) const {
    const std::size_t at = k * rows + row;
    return at < logits.size() ? logits[at] : score_logit(values[at]);
  }

  std::span<const double> values;  // column after column
  std::size_t rows;
  std::span<const double> logits;  // shared ones, of the first columns
};

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

}  // namespace plumbline
