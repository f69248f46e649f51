// What is said of the rows of a minibatch before calibration: for each row one or more scores in
// [0, 1], the larger the more likely positive. The first one is "the score" that reports and plain
// calibrators know; the others say more of the same row, in other ways.
//
// `Scores` is a view and owns nothing; `ScoreTable` owns its numbers and is reused.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline {

struct Scores {
  Scores(std::span<const double> all, std::size_t row_count) : values(all), rows(row_count) {}
  // One score for each row.
  Scores(std::span<const double> only) : values(only), rows(only.size()) {}
  Scores(const std::vector<double>& only) : Scores(std::span<const double>(only)) {}

  std::size_t kinds() const { return rows == 0 ? 0 : values.size() / rows; }
  // Those of one kind, for each row.
  std::span<const double> kind(std::size_t k) const { return values.subspan(k * rows, rows); }

  std::span<const double> values;  // kind after kind
  std::size_t rows;
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
