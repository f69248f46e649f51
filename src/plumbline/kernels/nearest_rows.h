// The rows of a table of bytes that are nearest to a query, by the sum of absolute differences of bytes (L1 distance).
//
// The table has blocks of 8 rows: in each block, the first 8 bytes of each row, then the next 8 bytes of each row, and so
// on. Sums of integers are exact: every instruction set finds the same rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace plumbline::inline v0::kernels {

class ByteTable {
 public:
  static constexpr std::size_t kRows = 8;   // of a block
  static constexpr std::size_t kBytes = 8;  // of a row that are adjacent

  // The size of a row, a multiple of kBytes, that holds so many bytes.
  static constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + kBytes - 1) / kBytes * kBytes;
  }
  // The place of a byte in a table with rows of the given padded size.
  static constexpr std::size_t at(std::size_t padded_size, std::size_t row, std::size_t byte) {
    return row / kRows * (kRows * padded_size) + byte / kBytes * (kRows * kBytes) +
           row % kRows * kBytes + byte % kBytes;
  }
};

// The nearest rows so far, the nearest one first. Of rows at the same distance, those that were added first precede.
class NearestRows {
 public:
  static constexpr std::size_t kMost = 64;

  explicit NearestRows(std::size_t limit) : limit_(limit) {}

  std::size_t size() const { return size_; }
  std::uint32_t distance(std::size_t i) const { return distances_[i]; }
  std::uint32_t row(std::size_t i) const { return rows_[i]; }

  // Rows at this distance or beyond are not added.
  std::uint32_t bound() const { return size_ < limit_ ? kNoBound : distances_[limit_ - 1]; }
  void add(std::uint32_t distance, std::uint32_t row) {
    if (distance >= bound()) return;
    std::size_t i = size_ < limit_ ? size_++ : limit_ - 1;
    for (; i > 0 && distances_[i - 1] > distance; --i) {
      distances_[i] = distances_[i - 1];
      rows_[i] = rows_[i - 1];
    }
    distances_[i] = distance;
    rows_[i] = row;
  }

 private:
  static constexpr std::uint32_t kNoBound = 0x7fffffff;  // the largest signed number

  std::size_t limit_, size_ = 0;
  std::array<std::uint32_t, kMost> distances_, rows_;
};

// Adds the rows of the table in [first, last), from the last one down to the first one, which starts a block.
void add_nearest(const std::uint8_t* table, std::size_t padded_size, const std::uint8_t* query,
                 std::size_t first, std::size_t last, NearestRows& nearest);

}  // namespace plumbline::inline v0::kernels
