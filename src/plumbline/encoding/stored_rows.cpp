#include "plumbline/encoding/stored_rows.h"

namespace plumbline {

bool StoredRows::read(RowBatch& batch, std::size_t max_rows) {
  batch.clear(schema_);
  for (; next_ < order_.size() && batch.rows() < max_rows; ++next_) {
    batch.add_row(rows_, order_[next_]);
  }
  return batch.rows() > 0;
}

}  // namespace plumbline
