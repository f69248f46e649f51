// A source of labelled examples in order: a file, or a generator.
#pragma once

#include <cstddef>

#include "plumbline/data/batch.h"
#include "plumbline/data/schema.h"

namespace plumbline {

class Generator {
 public:
  virtual ~Generator() = default;

  virtual const Schema& schema() const = 0;
  // Clears the minibatch and fills it with up to `max_rows` rows; false at the end of the stream.
  virtual bool read(Minibatch& batch, std::size_t max_rows) = 0;
};

}  // namespace plumbline
