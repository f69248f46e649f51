// The rows of a table of bytes that are nearest to a query, by the sum of absolute differences of bytes (L1 distance).
//
// The table has blocks of 8 rows: in each block, the first 8 bytes of each row, then the next 8 bytes of each row, and so
// on. Sums of integers are exact: every instruction set finds the same rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace plumbline::inline v0::kernels {

class ByteTable {
 public:
  static constexpr std::size_t kRows = 8;          // of a block
  static constexpr std::size_t kBytes = 8;         // of a row that are adjacent
  static constexpr std::size_t kMostBytes = 256;   // of a row
  static constexpr std::size_t kMostRows = 65536;  // of a table

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

// Rounds (value - mean) scale + 128.5 down to a byte, and numbers beyond 0 and 255 to these, for each value of a row.
// Values, means and scales are finite.
void to_bytes(const float* values, const double* means, const double* scales, std::size_t size,
              std::uint8_t* bytes);

// The nearest rows so far, the nearest one first; of rows at the same distance, the one with the lowest age first.
class NearestRows {
 public:
  static constexpr std::size_t kMost = 64;

  explicit NearestRows(std::size_t limit) : limit_(limit) { keys_.fill(kNone); }

  std::size_t limit() const { return limit_; }
  std::size_t size() const {
    return static_cast<std::size_t>(
        std::lower_bound(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(limit_),
                         kNone) -
        keys_.begin());
  }
  std::uint32_t distance(std::size_t i) const { return keys_[i] >> kAgeBits; }
  std::uint32_t age(std::size_t i) const { return keys_[i] & (ByteTable::kMostRows - 1); }

  // For the kernels. A key orders rows by distance, then age. Keys from `bound` on are not added.
  static constexpr std::uint32_t kNone =
      0xffffffff;  // beyond the largest key: distances are at most 256 * 255
  static std::uint32_t key(std::uint32_t distance, std::uint32_t age) {
    return distance << kAgeBits | age;
  }
  std::uint32_t bound() const { return keys_[limit_ - 1]; }
  std::uint32_t* keys() { return keys_.data(); }
  void add(std::uint32_t key) {
    if (key >= bound()) return;
    std::size_t i = limit_ - 1;
    for (; i > 0 && keys_[i - 1] > key; --i) keys_[i] = keys_[i - 1];
    keys_[i] = key;
  }

 private:
  static constexpr int kAgeBits = 16;

  std::size_t limit_;
  alignas(64) std::array<std::uint32_t, kMost> keys_;  // in ascending order
};

// Adds the rows of the table in [first, last), the first of which starts a block. Row `last` - 1 has the age given, and
// the others grow older towards `first`. Ages are below ByteTable::kMostRows.
void add_nearest(const std::uint8_t* table, std::size_t padded_size, const std::uint8_t* query,
                 std::size_t first, std::size_t last, std::size_t age, NearestRows& nearest);

}  // namespace plumbline::inline v0::kernels
