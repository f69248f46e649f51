// The features of rows that are not 0, for rows that are mostly zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/data/batch.h"

namespace plumbline::kernels {

class SparseRows {
 public:
  struct Entry {
    std::uint32_t feature;
    double value;
  };

  // Takes the rows in and returns true, if at most 1 of 8 features is not 0; stops at once if the first
  // row has more.
  bool assign(const Batch& batch);

  std::size_t rows() const { return ends_.size() / 2; }
  std::size_t entries() const { return entries_.size(); }
  // Of a row in order, first the features with even numbers, then those with odd ones.
  std::span<const Entry> even(std::size_t row) const { return part(2 * row); }
  std::span<const Entry> odd(std::size_t row) const { return part(2 * row + 1); }
  std::span<const Entry> all(std::size_t row) const {
    return std::span(entries_).subspan(ends_[2 * row], ends_[2 * row + 2] - ends_[2 * row]);
  }

 private:
  std::span<const Entry> part(std::size_t i) const {
    return std::span(entries_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> ends_;  // of the parts before; two parts for each row
};

}  // namespace plumbline::kernels
