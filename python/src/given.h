// Rows as a user gives them: arrays (arrays.h), tables and dicts (tables.h). Once made they need no Python.
#pragma once

#include <cstddef>

#include "plumbline/data/batch.h"
#include "plumbline/encoding/encoder.h"

namespace plumbline::python {

class Given {
 public:
  virtual ~Given() = default;

  virtual std::size_t size() const = 0;  // rows
  // Goes to before the first row. Throws a data error if the columns are not those of the encoder.
  virtual void rewind(const Encoder& encoder) = 0;
  // Adds the next row to the minibatch. Throws a data error for a value that cannot be used.
  virtual void add(const Encoder& encoder, Minibatch& batch) = 0;
  // The same, and the encoder learns the row's categories and names.
  virtual void add_labelled(Encoder& encoder, Label label, Minibatch& batch) = 0;
  // Whether there are any to learn.
  virtual bool teaches_encoder() const { return true; }
};

// Throws a data error unless the model was made from rows of the same kind: whether they name their features.
void check_kind(const Encoder& encoder, bool named);

}  // namespace plumbline::python
