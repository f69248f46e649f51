// Square matrices of a few rows, row after row, for the Newton steps of calibrators (calibrators/online_newton.h).
//
// Each entry is computed by the same operations in the same order for every instruction set.
#pragma once

#include <cstddef>

namespace plumbline::inline v0::kernels {

inline constexpr std::size_t kMostMatrixRows = 24;

// sum_j rows[j] x[j]: M x if the matrix is M transposed.
void add_rows(const double* matrix, std::size_t size, const double* x, double* sum);

// M + factor v v'.
void add_square(double* matrix, std::size_t size, double factor, const double* v);

// row - sum_k times[k * stride] others[k], one after the other, where `others` are `count` adjacent rows.
void subtract_rows(double* row, std::size_t size, const double* others, std::size_t count,
                   const double* times, std::size_t stride);

}  // namespace plumbline::inline v0::kernels
