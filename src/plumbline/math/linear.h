// Factorisations of small symmetric positive definite matrices, and linear systems.
//
// Matrices are square and row-major; only the lower triangle is read. There are two forms: L L'
// (`cholesky_factorise`, for any size) and L D L' (`Ldl`, for a few rows, without square roots and with
// a selection of rows). They round differently, so replacing one by the other would change results.
// Cost: n^3/6 multiplications to factorise, n^2/2 to solve each triangular system.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace plumbline::inline v0 {

// Replaces the lower triangle of the matrix by L, where L L' is the matrix. A pivot, whose square root
// is on the diagonal of L, is raised to `least_pivot` if rounding has made it smaller. Returns the
// smallest pivot before that correction.
double cholesky_factorise(std::span<double> matrix, std::size_t size, double least_pivot);
// Solve L x = b and L' x = b in place; the size is that of b.
void solve_lower(std::span<const double> factor, std::span<double> b);
void solve_lower_transposed(std::span<const double> factor, std::span<double> b);

// L D L' = M, where M consists of the rows and columns `chosen`, at most `kMost`, of a matrix of `size`
// rows. The ones on the diagonal of L are not stored. Pivots (D) below `least_pivot` are raised to it.
template <std::size_t kMost>
class Ldl {
 public:
  Ldl(std::span<const double> matrix, std::size_t size, std::span<const std::size_t> chosen,
      double least_pivot) {
    const std::size_t rows = chosen.size();
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j <= i; ++j) lower_[i][j] = matrix[chosen[i] * size + chosen[j]];
    }
    // Column after column, so that the entries to the right of a column do not wait for each other.
    std::array<double, kMost> column;
    for (std::size_t k = 0; k < rows; ++k) {
      pivots_[k] = std::max(lower_[k][k], least_pivot);
      for (std::size_t i = k + 1; i < rows; ++i) {
        double* const row = lower_[i].data();
        const double entry = row[k];
        column[i] = row[k] = entry / pivots_[k];
        const double scaled = column[i] * pivots_[k];
        for (std::size_t j = k + 1; j < i; ++j) row[j] -= scaled * column[j];
        row[i] -= column[i] * entry;
      }
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

  // Writes the inverse of an M of d rows, column-major: `solve` for all columns of the identity at once.
  // subtract_rows(row, others, count, times, stride) subtracts times[k * stride] others[k] from a row for k = 0, 1, ….
  template <class SubtractRows>
  void invert_into(std::size_t d, double* columns, const SubtractRows& subtract_rows) const {
    for (std::size_t i = 0; i < d; ++i) {
      double* const row = columns + i * d;
      for (std::size_t c = 0; c < d; ++c) row[c] = i == c ? 1 : 0;
      subtract_rows(row, columns, i, lower_[i].data(), std::size_t{1});
    }
    for (std::size_t i = d; i-- > 0;) {
      double* const row = columns + i * d;
      for (std::size_t c = 0; c < d; ++c) row[c] /= pivots_[i];
      if (i + 1 < d) subtract_rows(row, row + d, d - i - 1, &lower_[i + 1][i], kMost);
    }
  }

 private:
  // Not initialised beyond the rows in use. The diagonal is not that of L.
  std::array<std::array<double, kMost>, kMost> lower_;
  std::array<double, kMost> pivots_;
};

}  // namespace plumbline::inline v0
