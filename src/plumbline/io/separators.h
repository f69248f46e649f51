// Bit masks of the separators in 64 bytes of CSV, which end fields and rows.
//
// Bit i is for byte i. SSE2, which every x86-64 has, compares 16 bytes at once; elsewhere a loop
// compares one.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace plumbline::inline v0 {

struct Separators {
  static constexpr std::size_t kBytes = 64;

  std::uint64_t delimiters = 0;
  std::uint64_t others = 0;  // line breaks and quotes

  bool operator==(const Separators&) const = default;
};

// Reads all 64 bytes.
inline Separators find_separators(const char* bytes, char delimiter) {
  Separators found;
#ifdef __SSE2__
  const __m128i delimiters = _mm_set1_epi8(delimiter);
  const __m128i breaks = _mm_set1_epi8('\n');
  const __m128i quotes = _mm_set1_epi8('"');
  const auto bits = [](__m128i equal) {
    return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(equal))};
  };
  for (std::size_t i = 0; i < Separators::kBytes; i += sizeof(__m128i)) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(part, breaks), _mm_cmpeq_epi8(part, quotes));
    found.delimiters |= bits(_mm_cmpeq_epi8(part, delimiters)) << i;
    found.others |= bits(others) << i;
  }
#else
  for (std::size_t i = 0; i < Separators::kBytes; ++i) {
    found.delimiters |= std::uint64_t{bytes[i] == delimiter} << i;
    found.others |= std::uint64_t{bytes[i] == '\n' || bytes[i] == '"'} << i;
  }
#endif
  return found;
}

}  // namespace plumbline::inline v0
