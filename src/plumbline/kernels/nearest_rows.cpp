#include "plumbline/kernels/nearest_rows.h"

#include <algorithm>
#include <bit>
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

void to_bytes_scalar(const float* values, const double* means, const double* scales,
                     std::size_t size, std::uint8_t* bytes) {
  for (std::size_t j = 0; j < size; ++j) {
    const double byte = (values[j] - means[j]) * scales[j] + 128.5;
    bytes[j] = static_cast<std::uint8_t>(std::clamp(byte, 0.0, 255.0));
  }
}

void add_nearest_scalar(const std::uint8_t* table, std::size_t padded_size,
                        const std::uint8_t* query, std::size_t first, std::size_t last,
                        std::size_t age, NearestRows& nearest) {
  for (std::size_t block = (last + kRows - 1) / kRows; block-- > first / kRows;) {
    const std::uint8_t* bytes = table + block * (kRows * padded_size);
    std::uint32_t distances[kRows] = {};
    for (std::size_t group = 0; group < padded_size; group += kBytes) {
      for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t i = 0; i < kBytes; ++i) {
          const int byte = bytes[group * kRows + row * kBytes + i];
          distances[row] += static_cast<std::uint32_t>(std::abs(byte - int{query[group + i]}));
        }
      }
    }
    for (std::size_t row = std::min(last - block * kRows, kRows); row-- > 0;) {
      const std::size_t newer = last - 1 - (block * kRows + row);
      nearest.add(NearestRows::key(distances[row], static_cast<std::uint32_t>(age + newer)));
    }
  }
}

#if defined(__x86_64__)
// Not by Highway, whose version in Debian 12 has no sum of absolute differences.
//
// Which rows are nearer than the bound is hard to predict, so that a branch for each would cost more than its distance.
// The keys of some blocks are compared with the bound before these blocks and collected without branches; then they are
// inserted, also without branches. There are few blocks at first, while the bound still falls fast.
#define PLUMBLINE_AVX2 __attribute__((target("avx2,popcnt")))
#define PLUMBLINE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx2,popcnt")))

constexpr std::size_t kFewBlocks = 4, kManyBlocks = 32;
// Rows of many bytes: a block is left out if all its rows are beyond the bound after these.
constexpr std::size_t kFirstBytes = 32;

// With room for the lanes of a vector beyond the last key.
using Collected = std::array<std::uint32_t, (kManyBlocks + 1) * kRows>;

// For each set of lanes of 32 bits, their indices, one byte each: moves them to the front.
constexpr std::array<std::uint64_t, 256> kToTheFront = [] {
  std::array<std::uint64_t, 256> result{};
  for (std::size_t mask = 0; mask < result.size(); ++mask) {
    int at = 0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) == 1) result[mask] |= lane << (8 * at++);
    }
  }
  return result;
}();

// The keys of up to 16 nearest rows, in registers.
struct SortedAvx2 {
  __m256i low, high;

  PLUMBLINE_AVX2 explicit SortedAvx2(const std::uint32_t* keys)
      : low(_mm256_load_si256(reinterpret_cast<const __m256i*>(keys))),
        high(_mm256_load_si256(reinterpret_cast<const __m256i*>(keys) + 1)) {}
  // Each key becomes the larger one of its predecessor and the new one, if that is less.
  PLUMBLINE_AVX2 void insert(std::uint32_t key) {
    const __m256i added = _mm256_set1_epi32(static_cast<int>(key));
    const __m256i order = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    const __m256i rotated_low = _mm256_permutevar8x32_epi32(low, order);
    const __m256i rotated_high = _mm256_permutevar8x32_epi32(high, order);
    const __m256i before_low = _mm256_blend_epi32(rotated_low, _mm256_setzero_si256(), 1);
    const __m256i before_high = _mm256_blend_epi32(rotated_high, rotated_low, 1);
    low = _mm256_min_epu32(low, _mm256_max_epu32(before_low, added));
    high = _mm256_min_epu32(high, _mm256_max_epu32(before_high, added));
  }
  PLUMBLINE_AVX2 void store(std::uint32_t* keys) const {
    _mm256_store_si256(reinterpret_cast<__m256i*>(keys), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(keys) + 1, high);
  }
};

PLUMBLINE_AVX2 void to_bytes_avx2(const float* values, const double* means, const double* scales,
                                  std::size_t size, std::uint8_t* bytes) {
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    const __m256d value = _mm256_cvtps_pd(_mm_loadu_ps(values + j));
    const __m256d deviations = _mm256_mul_pd(_mm256_sub_pd(value, _mm256_loadu_pd(means + j)),
                                             _mm256_loadu_pd(scales + j));
    const __m256d byte = _mm256_add_pd(deviations, _mm256_set1_pd(128.5));
    const __m256d within =
        _mm256_min_pd(_mm256_max_pd(byte, _mm256_setzero_pd()), _mm256_set1_pd(255));
    const __m128i whole = _mm256_cvttpd_epi32(within);
    const __m128i packed = _mm_packus_epi16(_mm_packs_epi32(whole, whole), whole);
    const int four = _mm_cvtsi128_si32(packed);
    std::memcpy(bytes + j, &four, sizeof four);
  }
  to_bytes_scalar(values + j, means + j, scales + j, size - j, bytes + j);
}

PLUMBLINE_AVX2 void insert_avx2(const Collected& keys, std::size_t count, NearestRows& nearest) {
  if (nearest.limit() > 16) {
    for (std::size_t i = 0; i < count; ++i) nearest.add(keys[i]);
    return;
  }
  SortedAvx2 sorted(nearest.keys());
  for (std::size_t i = 0; i < count; ++i) sorted.insert(keys[i]);
  sorted.store(nearest.keys());
}

PLUMBLINE_AVX2 __m256i to_all_lanes(std::uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

// The keys of a block whose first row is followed by `newer` rows before the last one, of the given age. Rows after the
// last one get the key NearestRows::kNone.
PLUMBLINE_AVX2 __m256i keys_of(__m256i distances, __m256i order, std::size_t newer,
                               std::size_t age) {
  const __m256i ages = _mm256_sub_epi32(to_all_lanes(static_cast<std::uint32_t>(newer)), order);
  const __m256i keys =
      _mm256_or_si256(_mm256_slli_epi32(distances, 16),
                      _mm256_add_epi32(ages, to_all_lanes(static_cast<std::uint32_t>(age))));
  return _mm256_or_si256(keys, _mm256_srai_epi32(ages, 31));
}

PLUMBLINE_AVX2 void add_nearest_avx2(const std::uint8_t* table, std::size_t padded_size,
                                     const std::uint8_t* query, std::size_t first, std::size_t last,
                                     std::size_t age, NearestRows& nearest) {
  Collected collected;
  // The order of the rows after distances of 64 bits were packed into 32.
  const __m256i order = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
  const std::size_t begin = first / kRows;
  std::size_t together = kFewBlocks;
  for (std::size_t block = (last + kRows - 1) / kRows; block > begin;) {
    const std::uint32_t bound = nearest.bound();
    const __m256i bounds = to_all_lanes(bound);
    const __m256i far = _mm256_set1_epi64x(bound >> 16);
    const std::size_t end = block - std::min(together, block - begin);
    together = std::min(2 * together, kManyBlocks);
    std::size_t count = 0;
    while (block > end) {
      --block;
      const std::uint8_t* bytes = table + block * (kRows * padded_size);
      __m256i low = _mm256_setzero_si256(), high = low;  // rows 0 to 3, and 4 to 7
      const auto add = [&](std::size_t group) PLUMBLINE_AVX2 {
        long long asked;
        std::memcpy(&asked, query + group, sizeof asked);
        const __m256i all = _mm256_set1_epi64x(asked);
        const auto* rows = reinterpret_cast<const __m256i*>(bytes + group * kRows);
        low = _mm256_add_epi64(low, _mm256_sad_epu8(_mm256_loadu_si256(rows), all));
        high = _mm256_add_epi64(high, _mm256_sad_epu8(_mm256_loadu_si256(rows + 1), all));
      };
      std::size_t group = 0;
      if (padded_size > kFirstBytes) {
        for (; group < kFirstBytes; group += kBytes) add(group);
        // Distances equal to that of the bound may still be of nearer rows.
        const __m256i beyond =
            _mm256_and_si256(_mm256_cmpgt_epi64(low, far), _mm256_cmpgt_epi64(high, far));
        if (_mm256_movemask_epi8(beyond) == -1) continue;
      }
      for (; group < padded_size; group += kBytes) add(group);
      const __m256i distances = _mm256_castps_si256(
          _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88));
      const __m256i keys = keys_of(distances, order, last - 1 - block * kRows, age);
      const __m256i beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(keys, bounds), keys);
      const auto nearer =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(beyond))) ^ 0xffU;
      const __m256i lanes =
          _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kToTheFront[nearer])));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&collected[count]),
                          _mm256_permutevar8x32_epi32(keys, lanes));
      count += static_cast<std::size_t>(std::popcount(nearer));
    }
    insert_avx2(collected, count, nearest);
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // by mistake, in the headers of gcc 12
PLUMBLINE_AVX512 void insert_avx512(const Collected& keys, std::size_t count,
                                    NearestRows& nearest) {
  if (nearest.limit() > 16) {
    for (std::size_t i = 0; i < count; ++i) nearest.add(keys[i]);
    return;
  }
  __m512i sorted = _mm512_load_si512(nearest.keys());
  for (std::size_t i = 0; i < count; ++i) {  // as in SortedAvx2::insert
    const __m512i added = _mm512_set1_epi32(static_cast<int>(keys[i]));
    const __m512i before = _mm512_alignr_epi32(sorted, _mm512_setzero_si512(), 15);
    sorted = _mm512_min_epu32(sorted, _mm512_max_epu32(before, added));
  }
  _mm512_store_si512(nearest.keys(), sorted);
}

// The same as add_nearest_avx2, a block in one register.
PLUMBLINE_AVX512 void add_nearest_avx512(const std::uint8_t* table, std::size_t padded_size,
                                         const std::uint8_t* query, std::size_t first,
                                         std::size_t last, std::size_t age, NearestRows& nearest) {
  Collected collected;
  const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const std::size_t begin = first / kRows;
  std::size_t together = kFewBlocks;
  for (std::size_t block = (last + kRows - 1) / kRows; block > begin;) {
    const std::uint32_t bound = nearest.bound();
    const __m256i bounds = to_all_lanes(bound);
    const __m512i far = _mm512_set1_epi64(bound >> 16);
    const std::size_t end = block - std::min(together, block - begin);
    together = std::min(2 * together, kManyBlocks);
    std::size_t count = 0;
    while (block > end) {
      --block;
      const std::uint8_t* bytes = table + block * (kRows * padded_size);
      __m512i distances = _mm512_setzero_si512();
      const auto add = [&](std::size_t group) PLUMBLINE_AVX512 {
        long long asked;
        std::memcpy(&asked, query + group, sizeof asked);
        distances = _mm512_add_epi64(
            distances,
            _mm512_sad_epu8(_mm512_loadu_si512(bytes + group * kRows), _mm512_set1_epi64(asked)));
      };
      std::size_t group = 0;
      if (padded_size > kFirstBytes) {
        for (; group < kFirstBytes; group += kBytes) add(group);
        if (_mm512_cmple_epu64_mask(distances, far) == 0) continue;
      }
      for (; group < padded_size; group += kBytes) add(group);
      const __m256i keys =
          keys_of(_mm512_cvtepi64_epi32(distances), order, last - 1 - block * kRows, age);
      const __mmask8 nearer = _mm256_cmplt_epu32_mask(keys, bounds);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&collected[count]),
                          _mm256_maskz_compress_epi32(nearer, keys));
      count += static_cast<std::size_t>(std::popcount(unsigned{nearer}));
    }
    insert_avx512(collected, count, nearest);
  }
}
#pragma GCC diagnostic pop
#endif

}  // namespace

void to_bytes(const float* values, const double* means, const double* scales, std::size_t size,
              std::uint8_t* bytes) {
#if defined(__x86_64__)
  if (instruction_set(1) != InstructionSet::baseline) {
    return to_bytes_avx2(values, means, scales, size, bytes);
  }
#endif
  to_bytes_scalar(values, means, scales, size, bytes);
}

void add_nearest(const std::uint8_t* table, std::size_t padded_size, const std::uint8_t* query,
                 std::size_t first, std::size_t last, std::size_t age, NearestRows& nearest) {
  assert(first % kRows == 0 && padded_size <= ByteTable::kMostBytes);
  assert(first == last || age + (last - first) <= ByteTable::kMostRows);
#if defined(__x86_64__)
  const InstructionSet set = instruction_set(kRows);
  if (set != InstructionSet::baseline) {
    return (set == InstructionSet::avx512 ? add_nearest_avx512 : add_nearest_avx2)(
        table, padded_size, query, first, last, age, nearest);
  }
#endif
  add_nearest_scalar(table, padded_size, query, first, last, age, nearest);
}

}  // namespace plumbline::inline v0::kernels

#undef PLUMBLINE_AVX2
#undef PLUMBLINE_AVX512
