// Arrays from and for Python: NumPy's arrays of any layout, SciPy's sparse rows, results as new arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "input_rows.h"
#include "plumbline/batch.h"
#include "plumbline/encoding/row_batch.h"

namespace plumbline::python {

namespace nb = nanobind;

// Views of numbers of any type, in two dimensions or one, with any strides.
using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, double>;

// Rows of numbers. NaN is a missing value; an infinite or too large value is a data error that names row and
// column.
class NumberRows : public InputRows {
 public:
  std::size_t size() const override { return size_; }
  void rewind(const Encoder& encoder) override;

 protected:
  NumberRows(std::size_t size, std::size_t columns) : size_(size), columns_(columns) {}
  std::size_t columns() const { return columns_; }
  std::size_t next() { return next_++; }

 private:
  std::size_t size_, columns_;
  std::size_t next_ = 0;
};

class MatrixRows : public NumberRows {
 public:
  explicit MatrixRows(const Matrix& matrix);
  void add(const Encoder& encoder, Label label, RowBatch& batch) override;

 private:
  const Matrix& matrix_;
  void (*copy_)(const Matrix&, std::size_t, std::span<double>);  // for its kind of number
  std::vector<double> values_;                                   // of a row, for sparse models
};

// A view of compressed sparse rows (CSR). Values that are not stored are 0, or absent in a sparse model's rows.
struct SparseMatrix {
  Vector values, columns, starts;
  std::size_t width;
};

class SparseMatrixRows : public NumberRows {
 public:
  explicit SparseMatrixRows(const SparseMatrix& matrix);
  void add(const Encoder& encoder, Label label, RowBatch& batch) override;

 private:
  using At = double (*)(const Vector&, std::size_t);  // for the array's kind of number
  const SparseMatrix& matrix_;
  At value_at_, column_at_, start_at_;
};

// The index of each label among the classes' numbers. Throws a data error for a label that is not one of them.
std::vector<Label> indices_of(const Vector& labels, std::span<const double> classes);
// Labels that are indices.
std::vector<Label> indices(const Vector& labels, std::size_t classes);
// The repetitions of each row, from 0 to 2^32 - 1.
std::vector<std::uint32_t> counts_of(const Vector& times);
// The costs of a false positive and a false negative for each row.
std::vector<Costs> costs_of(const Matrix& costs, std::size_t rows);

// A new array of this shape that owns the values.
Numbers as_array(std::vector<double>&& values, std::size_t rows, std::size_t columns);

// Memory for a new array, not initialised. Throws std::bad_alloc if there is too little, also if the product of the
// sides overflows.
template <class T>
class Room {
 public:
  explicit Room(std::vector<std::size_t> shape) : shape_(std::move(shape)) {
    std::size_t size = 1;
    for (const std::size_t side : shape_) {
      if (__builtin_mul_overflow(size, side, &size)) throw std::bad_alloc();
    }
    values_ = std::make_unique_for_overwrite<T[]>(size);
  }

  T* data() { return values_.get(); }
  nb::ndarray<nb::numpy, T> as_array() && {
    T* const values = values_.get();
    const nb::capsule owner(values_.release(),
                            [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
    return {values, shape_.size(), shape_.data(), owner};
  }

 private:
  std::vector<std::size_t> shape_;
  std::unique_ptr<T[]> values_;
};

}  // namespace plumbline::python
