// Misclassification costs of the rows of a stream: fixed numbers, or columns of the stream, such as the amount of a
// transaction for the cost of missing a fraud. Cost: O(1) for each row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plumbline/data/costs.h"
#include "plumbline/io/stream.h"

namespace plumbline {

class RowCosts {
 public:
  struct Options {
    Costs fixed{};
    // Columns that hold a cost instead, by name or number; empty for none.
    std::string false_positive_column{}, false_negative_column{};
    // The share of the negatives that the file has kept: each stands for 1/negatives_kept of them, and
    // so does a false alarm about it.
    double negatives_kept = 1;
  };

  // Throws a configuration error for columns that the file does not have.
  RowCosts(const Options& options, const Stream& stream);

  // The names of the columns that hold costs.
  const std::vector<std::string>& columns() const { return names_; }
  // Of the stream's row. Throws a data error with the line and the column unless each is a number from
  // 0 to kMaxCost.
  Costs read(const Stream& stream) const;

 private:
  std::optional<std::size_t> index_of(const std::string& column, const Stream& stream);

  Options options_;
  std::vector<std::string> names_;
  std::optional<std::size_t> false_positive_, false_negative_;
};

}  // namespace plumbline
