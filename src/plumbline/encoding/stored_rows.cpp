#include "plumbline/encoding/stored_rows.h"

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
  for (; next_ < order_.size() && batch.rows() < max_rows; ++next_) {
    batch.add_row(rows_, order_[next_]);
  }
  return batch.rows() > 0;
}

}  // namespace plumbline::inline v0
