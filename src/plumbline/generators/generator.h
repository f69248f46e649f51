// A synthetic stream without end. Example i, counted from 0, depends on the seed and i (and, if a concept moves, on
// the examples before it).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/math/rng.h"
#include "plumbline/schema.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class Generator : public Stream {
 public:
  const Schema& schema() const { return schema_; }

  // The next example as a row of the stream.
  bool next() override;
  // Clears the minibatch and fills it with the next examples.
  void read(Minibatch& batch, std::size_t rows);
  // Writes the features of example i and returns its label. Must be called for i = 0, 1, … in turn.
  Label example(std::uint64_t i, std::span<double> x);

 protected:
  Generator(Schema schema, std::uint64_t seed);
  std::uint64_t seed() const { return seed_; }

 private:
  // Writes the features of example i and returns its label; `rng` is the example's own.
  virtual Label draw(Rng& rng, std::uint64_t i, std::span<double> x) = 0;

  Schema schema_;
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
  std::vector<double> x_;  // the features of the stream's current row
};

}  // namespace plumbline::inline v0
