// Factors of small symmetric positive definite matrices, and the systems that they solve.
//
// A matrix is a square, row after row, of which only the lower triangle is read. Two forms: L L'
// (`cholesky_factorise`, for any size) and L D L' (`Ldl`, for a few rows, without roots and with a
// choice of rows). They round differently, so neither can replace the other without changing the
// bits of what is computed with it.
// Cost: n^3/6 multiplications for the factors, n^2/2 for each triangle that is solved.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace plumbline::inline v0 {

// Replaces the lower triangle of the matrix by L, where L L' is the matrix. A pivot, of which L has
// the root, is raised to `least_pivot` if rounding has taken it below. Returns the smallest pivot
// before that.
double cholesky_factorise(std::span<double> matrix, std::size_t size, double least_pivot);
// Solves L x = b and L' x = b in place; the size is that of b.
void solve_lower(std::span<const double> factor, std::span<double> b);
void solve_lower_transposed(std::span<const double> factor, std::span<double> b);

// L D L' = M, where M is the rows and columns `chosen` of a matrix of `size` rows; at most `kMost`.
// L has ones on its diagonal, which are not stored. Pivots (D) below `least_pivot` are raised to it.
template <std::size_t kMost>
class Ldl {
 public:
  Ldl(std::span<const double> matrix, std::size_t size, std::span<const std::size_t> chosen,
      double least_pivot) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      double pivot = matrix[chosen[i] * size + chosen[i]];
      for (std::size_t j = 0; j < i; ++j) {
        double entry = matrix[chosen[i] * size + chosen[j]];
        for (std::size_t k = 0; k < j; ++k) entry -= lower_[i][k] * pivots_[k] * lower_[j][k];
        lower_[i][j] = entry / pivots_[j];
        pivot -= lower_[i][j] * entry;
      }
      pivots_[i] = std::max(pivot, least_pivot);
    }
  }

  double pivot(std::size_t i) const { return pivots_[i]; }

  // Solves M x = b in place.
  void solve(std::span<double> b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] -= lower_[i][j] * b[j];
    }
    for (std::size_t i = b.size(); i-- > 0;) {
      b[i] /= pivots_[i];
      for (std::size_t j = i + 1; j < b.size(); ++j) b[i] -= lower_[j][i] * b[j];
    }
  }

  // The inverse of an M of d rows, column after column: `solve` for all columns of the identity at once.
  template <std::size_t d>
  void invert_into(double* columns) const {
    const auto subtract = [&](std::size_t from, double times, std::size_t column) {
      for (std::size_t c = 0; c < d; ++c) columns[from * d + c] -= times * columns[column * d + c];
    };
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t c = 0; c < d; ++c) columns[i * d + c] = i == c ? 1 : 0;
      for (std::size_t j = 0; j < i; ++j) subtract(i, lower_[i][j], j);
    }
    for (std::size_t i = d; i-- > 0;) {
      for (std::size_t c = 0; c < d; ++c) columns[i * d + c] /= pivots_[i];
      for (std::size_t j = i + 1; j < d; ++j) subtract(i, lower_[j][i], j);
    }
  }

 private:
  // Filled as far as they are used.
  std::array<std::array<double, kMost>, kMost> lower_;
  std::array<double, kMost> pivots_;
};

}  // namespace plumbline::inline v0
