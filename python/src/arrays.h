// Rows that Python gives and takes: NumPy arrays of any layout, and results as new arrays.
#pragma once

#include <cstddef>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "plumbline/core/batch.h"

namespace plumbline::python {

namespace nb = nanobind;

// Numbers of any size, in rows and columns, wherever they lie.
using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
// The place of each row's class.
using Labels = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::device::cpu, nb::c_contig>;
using Numbers = nb::ndarray<nb::numpy, double>;

// Throws a data error for a matrix of another width, or with a number that is infinite or too large. NaN
// is a missing number.
void check_numbers(const Matrix& rows, std::size_t columns);
// Clears the minibatch and adds `count` rows from the row `first` on. Needs no Python. Throws the same.
void fill(Minibatch& batch, const Matrix& rows, const std::uint8_t* labels, std::size_t first,
          std::size_t count);

// A new array of this shape that takes the values over.
Numbers as_array(std::vector<double>&& values, std::size_t rows, std::size_t columns);
Numbers as_array(std::vector<double>&& values);

}  // namespace plumbline::python
