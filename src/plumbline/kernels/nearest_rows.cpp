#include "plumbline/kernels/nearest_rows.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

#include "plumbline/kernels/instruction_set.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumbline::inline v0::kernels {
namespace {

constexpr std::size_t kRows = ByteTable::kRows, kBytes = ByteTable::kBytes;

// Adds the rows of a block, the last one first, with their distances.
void add_block(const std::uint64_t* distances, std::size_t block, std::size_t last,
               NearestRows& nearest) {
  for (std::size_t row = std::min(last - block * kRows, kRows); row-- > 0;) {
    nearest.add(static_cast<std::uint32_t>(distances[row]),
                static_cast<std::uint32_t>(block * kRows + row));
  }
}

void add_nearest_scalar(const std::uint8_t* table, std::size_t padded_size,
                        const std::uint8_t* query, std::size_t first, std::size_t last,
                        NearestRows& nearest) {
  for (std::size_t block = (last + kRows - 1) / kRows; block-- > first / kRows;) {
    const std::uint8_t* bytes = table + block * (kRows * padded_size);
    std::uint64_t distances[kRows] = {};
    for (std::size_t group = 0; group < padded_size; group += kBytes) {
      for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t i = 0; i < kBytes; ++i) {
          const int byte = bytes[group * kRows + row * kBytes + i];
          distances[row] += static_cast<std::uint64_t>(std::abs(byte - int{query[group + i]}));
        }
      }
    }
    add_block(distances, block, last, nearest);
  }
}

#if defined(__x86_64__)
// Not by Highway, whose version in Debian 12 has no sum of absolute differences.
__attribute__((target("avx2"))) void add_nearest_avx2(const std::uint8_t* table,
                                                      std::size_t padded_size,
                                                      const std::uint8_t* query, std::size_t first,
                                                      std::size_t last, NearestRows& nearest) {
  for (std::size_t block = (last + kRows - 1) / kRows; block-- > first / kRows;) {
    const std::uint8_t* bytes = table + block * (kRows * padded_size);
    __m256i low = _mm256_setzero_si256(), high = low;  // rows 0 to 3, and 4 to 7
    for (std::size_t group = 0; group < padded_size; group += kBytes, bytes += kRows * kBytes) {
      long long asked;
      std::memcpy(&asked, query + group, sizeof asked);
      const __m256i all = _mm256_set1_epi64x(asked);
      const auto* rows = reinterpret_cast<const __m256i*>(bytes);
      low = _mm256_add_epi64(low, _mm256_sad_epu8(_mm256_loadu_si256(rows), all));
      high = _mm256_add_epi64(high, _mm256_sad_epu8(_mm256_loadu_si256(rows + 1), all));
    }
    const __m256i bound = _mm256_set1_epi64x(nearest.bound());
    const __m256i nearer =
        _mm256_or_si256(_mm256_cmpgt_epi64(bound, low), _mm256_cmpgt_epi64(bound, high));
    if (_mm256_testz_si256(nearer, nearer) != 0) continue;
    alignas(32) std::uint64_t distances[kRows];
    _mm256_store_si256(reinterpret_cast<__m256i*>(distances), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(distances + 4), high);
    add_block(distances, block, last, nearest);
  }
}
#endif

}  // namespace

void add_nearest(const std::uint8_t* table, std::size_t padded_size, const std::uint8_t* query,
                 std::size_t first, std::size_t last, NearestRows& nearest) {
  assert(first % kRows == 0);
#if defined(__x86_64__)
  if (instruction_set(1) != InstructionSet::baseline) {
    return add_nearest_avx2(table, padded_size, query, first, last, nearest);
  }
#endif
  add_nearest_scalar(table, padded_size, query, first, last, nearest);
}

}  // namespace plumbline::inline v0::kernels
