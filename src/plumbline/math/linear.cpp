#include "plumbline/math/linear.h"

#include <cmath>
#include <limits>

namespace plumbline::inline v0 {

double cholesky_factorise(std::span<double> matrix, std::size_t size, double least_pivot) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size; ++i) {
    const std::span<double> row = matrix.subspan(i * size, size);
    for (std::size_t j = 0; j < i; ++j) {
      const std::span<const double> other = matrix.subspan(j * size, size);
      double entry = row[j];
      for (std::size_t k = 0; k < j; ++k) entry -= row[k] * other[k];
      row[j] = entry / other[j];
    }
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    smallest = std::min(smallest, pivot);
    row[i] = std::sqrt(std::max(pivot, least_pivot));
  }
  return smallest;
}

void solve_lower(std::span<const double> factor, std::span<double> b) {
  const std::size_t size = b.size();
  for (std::size_t i = 0; i < size; ++i) {
    double left = b[i];
    for (std::size_t k = 0; k < i; ++k) left -= factor[i * size + k] * b[k];
    b[i] = left / factor[i * size + i];
  }
}

void solve_lower_transposed(std::span<const double> factor, std::span<double> b) {
  const std::size_t size = b.size();
  for (std::size_t i = size; i-- > 0;) {
    double left = b[i];
    for (std::size_t k = i + 1; k < size; ++k) left -= factor[k * size + i] * b[k];
    b[i] = left / factor[i * size + i];
  }
}

}  // namespace plumbline::inline v0
