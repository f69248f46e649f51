// Raw rows that lie in memory, in any order, with the features and classes of a schema.
#pragma once

#include <vector>

#include "plumbline/batch.h"
#include "plumbline/encoding/row_source.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class StoredRows : public RowSource {
 public:
  // The schema and the rows must outlive this; `order` are the indices of rows, as they are to come.
  // Throws a data error if the rows have another number of features than the schema.
  StoredRows(const Schema& schema, const Examples& rows, std::vector<std::size_t> order);

  bool read(RowBatch& batch, std::size_t max_rows) override;
  std::uint64_t position() const override { return next_; }

 private:
  const Schema& schema_;
  Examples rows_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
};

}  // namespace plumbline::inline v0
