// A field of a row as a number; inline, because it is asked for every field.
#pragma once

#include <cmath>

#include "plumbline/io/number.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

// As parse_number does, of the field `i`.
inline bool number_in(const Row& row, std::size_t i, double& value) {
  if (row.numbers.empty()) return parse_number(row.fields[i], value);
  value = row.numbers[i];
  return !std::isnan(value);
}

}  // namespace plumbline::inline v0
