#include "plumbline/encoding/stored_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

StoredRows::StoredRows(const Schema& schema, const Examples& rows, std::vector<std::size_t> order)
    : schema_(schema), rows_(rows), order_(std::move(order)) {
  if (rows.x.columns == schema.size()) return;
  throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the schema has {}",
                                           rows.x.columns, schema.size()));
}

bool StoredRows::read(RowBatch& batch, std::size_t max_rows) {
  batch.clear(schema_);
  const std::size_t end = next_ + std::min(max_rows, order_.size() - next_);
  while (next_ < end) {
    // Rows that follow each other are copied together.
    const std::size_t first = order_[next_];
    std::size_t count = 1;
    while (next_ + count < end && order_[next_ + count] == first + count) ++count;
    batch.add_rows(rows_, first, count);
    next_ += count;
  }
  return batch.rows() > 0;
}

}  // namespace plumbline::inline v0
