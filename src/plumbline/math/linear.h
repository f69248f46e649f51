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

  // Writes the inverse of an M of d rows, column-major: `solve` for all columns of the identity at once.
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
  // Not initialised beyond the rows in use.
  std::array<std::array<double, kMost>, kMost> lower_;
  std::array<double, kMost> pivots_;
};

}  // namespace plumbline::inline v0
