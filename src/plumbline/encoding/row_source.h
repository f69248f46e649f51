// Batches of raw rows, for a Session (plumbline/session.h): read from a stream (encoding/row_reader.h), or from rows that
// lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plumbline/encoding/row_batch.h"

namespace plumbline::inline v0 {

class RowSource {
 public:
  virtual ~RowSource() = default;

  // Clears the batch and adds up to `max_rows` rows; false at the end. When a bad row is thrown, the batch holds
  // the good rows before it, and reading may go on.
  virtual bool read(RowBatch& batch, std::size_t max_rows) = 0;
  // Rows that were read so far, including bad ones and those passed over.
  virtual std::uint64_t position() const = 0;
};

}  // namespace plumbline::inline v0
