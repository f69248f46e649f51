#include "plumbline/kernels/small_matrix.h"

#include <gtest/gtest.h>

#include <vector>

#include "plumbline/math/rng.h"
#include "tests/kernels/every_target.h"

namespace plumbline::small_matrix_test {
namespace {

std::vector<double> numbers(std::size_t count, std::uint32_t stream) {
  Rng rng(1, stream, 0);
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(rng.normal());
  return result;
}

// All sizes, with the definitions in plain loops: the same bits, and nothing beyond the end of a matrix.
template <class Check>
void for_all_sizes(const Check& check) {
  test::with_every_target([&] {
    for (std::size_t size = 1; size <= kernels::kMostMatrixRows; ++size) {
      SCOPED_TRACE(size);
      check(size, numbers(size * size, 1), numbers(size, 2));
    }
  });
}

TEST(SmallMatrix, AddsRows) {
  for_all_sizes(
      [](std::size_t size, const std::vector<double>& matrix, const std::vector<double>& x) {
        std::vector<double> expected(size), sum(size + 1, 7.0);
        for (std::size_t j = 0; j < size; ++j) {
          for (std::size_t i = 0; i < size; ++i) expected[i] += matrix[j * size + i] * x[j];
        }
        expected.push_back(7);
        kernels::add_rows(matrix.data(), size, x.data(), sum.data());
        EXPECT_EQ(sum, expected);
      });
}

TEST(SmallMatrix, AddsTheSquareOfAVector) {
  for_all_sizes([](std::size_t size, std::vector<double> matrix, const std::vector<double>& v) {
    matrix.push_back(7);
    std::vector<double> expected = matrix;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) expected[i * size + j] += -0.3 * (v[i] * v[j]);
    }
    kernels::add_square(matrix.data(), size, -0.3, v.data());
    EXPECT_EQ(matrix, expected);
  });
}

TEST(SmallMatrix, SubtractsMultiplesOfRows) {
  for_all_sizes([](std::size_t size, const std::vector<double>& matrix, std::vector<double> row) {
    const std::vector<double> times = numbers(2 * size, 3);
    row.push_back(7);
    for (std::size_t count = 0; count <= size; ++count) {
      std::vector<double> expected = row, left = row;
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < size; ++i) expected[i] -= times[2 * k] * matrix[k * size + i];
      }
      kernels::subtract_rows(left.data(), size, matrix.data(), count, times.data(), 2);
      EXPECT_EQ(left, expected) << count;
    }
  });
}

}  // namespace
}  // namespace plumbline::small_matrix_test
