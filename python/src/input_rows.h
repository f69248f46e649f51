// Rows that a user passes: arrays (arrays.h), tables and dicts (tables.h). Reading them does not need Python's lock.
#pragma once

#include <cstddef>

#include "plumbline/batch.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"

namespace plumbline::python {

class InputRows {
 public:
  virtual ~InputRows() = default;

  virtual std::size_t size() const = 0;  // number of rows
  // Returns to the start. Throws a data error if the columns are not those of the encoder.
  virtual void rewind(const Encoder& encoder) = 0;
  // Adds the next row, with this label, to the batch. Throws a data error for an invalid value.
  virtual void add(const Encoder& encoder, Label label, RowBatch& batch) = 0;
};

// Throws a data error unless the model was made from rows of the same kind: with names of features, or without.
void check_kind(const Encoder& encoder, bool named);

}  // namespace plumbline::python
