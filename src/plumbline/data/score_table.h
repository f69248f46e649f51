// What is said of the rows of a minibatch before calibration: for each row one or more scores in
// [0, 1], the larger the more likely positive. The first one is "the score" that reports and plain
// calibrators know; the others say more of the same row, in other ways.
//
// `Scores` is a view and owns nothing; `ScoreTable` owns its numbers and is reused. Several readers of
// the same scores may share their logits, which somebody computes once for all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/data/score_logit.h"

namespace plumbline {

struct Scores {
  Scores(std::span<const double> all, std::size_t row_count,
         std::span<const double> known_logits = {})
      : values(all), rows(row_count), logits(known_logits) {}
  // One score for each row.
  Scores(std::span<const double> only) : values(only), rows(only.size()) {}
  Scores(const std::vector<double>& only) : Scores(std::span<const double>(only)) {}

  std::size_t kinds() const { return rows == 0 ? 0 : values.size() / rows; }
  // Those of one kind, for each row.
  std::span<const double> kind(std::size_t k) const { return values.subspan(k * rows, rows); }
  double logit(std::size_t k, std::size_t row) const {
    const std::size_t at = k * rows + row;
    return at < logits.size() ? logits[at] : score_logit(values[at]);
  }

  std::span<const double> values;  // kind after kind
  std::size_t rows;
  std::span<const double> logits;  // of the first kinds, as far as they are known
};

class ScoreTable {
 public:
  void resize(std::size_t kinds, std::size_t rows) {
    rows_ = rows;
    values_.resize(kinds * rows);
  }
  std::span<double> kind(std::size_t k) { return std::span(values_).subspan(k * rows_, rows_); }
  Scores scores() const { return {values_, rows_}; }

 private:
  std::vector<double> values_;
  std::size_t rows_ = 0;
};

}  // namespace plumbline
