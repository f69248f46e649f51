#include "plumbline/kernels/small_matrix.h"

#include <cassert>

#include "plumbline/kernels/instruction_set.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumbline::inline v0::kernels {
namespace {

// The columns [from, size), one at a time.
void add_rows_from(std::size_t from, const double* matrix, std::size_t size, const double* x,
                   double* sum) {
  for (std::size_t i = from; i < size; ++i) sum[i] = 0;
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = from; i < size; ++i) sum[i] += matrix[j * size + i] * x[j];
  }
}
void subtract_rows_from(std::size_t from, double* row, std::size_t size, const double* others,
                        std::size_t count, const double* times, std::size_t stride) {
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = from; i < size; ++i) row[i] -= times[k * stride] * others[k * size + i];
  }
}

#if defined(__x86_64__)
// Not by AVX-512: its vectors need masks at the end of a row and cross cache lines, which made a step for 17 inputs
// slower by 18 %.
#define PLUMBLINE_AVX2 __attribute__((target("avx2")))

PLUMBLINE_AVX2 void add_rows_avx2(const double* matrix, std::size_t size, const double* x,
                                  double* sum) {
  std::size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    __m256d low = _mm256_setzero_pd(), high = low;
    for (std::size_t j = 0; j < size; ++j) {
      const __m256d factor = _mm256_broadcast_sd(x + j);
      const double* from = matrix + j * size + at;
      low = _mm256_add_pd(low, _mm256_mul_pd(_mm256_loadu_pd(from), factor));
      high = _mm256_add_pd(high, _mm256_mul_pd(_mm256_loadu_pd(from + 4), factor));
    }
    _mm256_storeu_pd(sum + at, low);
    _mm256_storeu_pd(sum + at + 4, high);
  }
  add_rows_from(at, matrix, size, x, sum);
}

PLUMBLINE_AVX2 void add_square_avx2(double* matrix, std::size_t size, double factor,
                                    const double* v) {
  const __m256d factors = _mm256_set1_pd(factor);
  for (std::size_t i = 0; i < size; ++i, matrix += size) {
    const __m256d of_row = _mm256_broadcast_sd(v + i);
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
      const __m256d product = _mm256_mul_pd(of_row, _mm256_loadu_pd(v + j));
      const __m256d before = _mm256_loadu_pd(matrix + j);
      _mm256_storeu_pd(matrix + j, _mm256_add_pd(before, _mm256_mul_pd(factors, product)));
    }
    for (; j < size; ++j) matrix[j] += factor * (v[i] * v[j]);
  }
}

PLUMBLINE_AVX2 void subtract_rows_avx2(double* row, std::size_t size, const double* others,
                                       std::size_t count, const double* times, std::size_t stride) {
  std::size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    __m256d low = _mm256_loadu_pd(row + at), high = _mm256_loadu_pd(row + at + 4);
    for (std::size_t k = 0; k < count; ++k) {
      const __m256d factor = _mm256_broadcast_sd(times + k * stride);
      const double* from = others + k * size + at;
      low = _mm256_sub_pd(low, _mm256_mul_pd(factor, _mm256_loadu_pd(from)));
      high = _mm256_sub_pd(high, _mm256_mul_pd(factor, _mm256_loadu_pd(from + 4)));
    }
    _mm256_storeu_pd(row + at, low);
    _mm256_storeu_pd(row + at + 4, high);
  }
  subtract_rows_from(at, row, size, others, count, times, stride);
}

#endif

void add_rows_scalar(const double* matrix, std::size_t size, const double* x, double* sum) {
  add_rows_from(0, matrix, size, x, sum);
}
void add_square_scalar(double* matrix, std::size_t size, double factor, const double* v) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) matrix[i * size + j] += factor * (v[i] * v[j]);
  }
}
void subtract_rows_scalar(double* row, std::size_t size, const double* others, std::size_t count,
                          const double* times, std::size_t stride) {
  subtract_rows_from(0, row, size, others, count, times, stride);
}

}  // namespace

#if defined(__x86_64__)
#define PLUMBLINE_SMALL(name) \
  (instruction_set(1) == InstructionSet::baseline ? &name##_scalar : &name##_avx2)
#else
#define PLUMBLINE_SMALL(name) (&name##_scalar)
#endif

void add_rows(const double* matrix, std::size_t size, const double* x, double* sum) {
  assert(size <= kMostMatrixRows);
  PLUMBLINE_SMALL(add_rows)(matrix, size, x, sum);
}
void add_square(double* matrix, std::size_t size, double factor, const double* v) {
  PLUMBLINE_SMALL(add_square)(matrix, size, factor, v);
}
void subtract_rows(double* row, std::size_t size, const double* others, std::size_t count,
                   const double* times, std::size_t stride) {
  PLUMBLINE_SMALL(subtract_rows)(row, size, others, count, times, stride);
}

}  // namespace plumbline::inline v0::kernels

#undef PLUMBLINE_SMALL
#undef PLUMBLINE_AVX2
