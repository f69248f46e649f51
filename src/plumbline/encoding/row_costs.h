// Misclassification costs of the rows of a stream: fixed numbers, or columns of the stream, such as the amount of a
// transaction for the cost of missing a fraud. Cost: O(1) for each row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plumbline/columns.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class RowCosts {
 public:
  using Options = CostOptions;

  // Throws a configuration error for columns that the file does not have.
  RowCosts(const Options& options, const Stream& stream);

  // The names of the columns that hold costs.
  const std::vector<std::string>& columns() const { return names_; }
  // Reads the costs of the stream's row. Throws a data error with the line and the column unless each is a number from
  // 0 to kMaxCost.
  Costs read(const Stream& stream) const;

 private:
  std::optional<std::size_t> index_of(const std::string& column, const Stream& stream);

  Options options_;
  std::vector<std::string> names_;
  std::optional<std::size_t> false_positive_, false_negative_;
};

}  // namespace plumbline::inline v0
