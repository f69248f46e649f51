#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/base/all_of.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/error.h"

namespace plumbline::python {
namespace {

// Calls use(static_cast<const T*>(nullptr)), where T is the element type of the array.
template <class Array, class Use>
auto with_kind(const Array& array, const char* name, const Use& use) {
  const nb::dlpack::dtype type = array.dtype();
  using Result = decltype(use(static_cast<const double*>(nullptr)));
  std::optional<Result> result;
  const auto each = [&]<class... Kinds>(std::tuple<Kinds...>*) {
    return ((type == nb::dtype<Kinds>() ? (result = use(static_cast<const Kinds*>(nullptr)), true)
                                        : false) ||
            ...);
  };
  using All = std::tuple<double, float, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                         std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t, bool>;
  if (!each(static_cast<All*>(nullptr))) {
    throw Error(ErrorKind::data, fmt::format("{} has to be an array of numbers", name));
  }
  return *result;
}

template <class To>
std::vector<To> copied(const Vector& array, const char* name) {
  return with_kind(array, name, [&]<class T>(const T*) {
    const T* from = static_cast<const T*>(array.data());
    std::vector<To> to(array.shape(0));
    for (To& one : to) {
      one = static_cast<To>(*from);
      from += array.stride(0);
    }
    return to;
  });
}

bool too_large(double value) { return std::abs(value) > kMaxMagnitude; }  // false for NaN

[[noreturn]] void refuse(double value, std::size_t row, std::size_t column) {
  throw Error(
      ErrorKind::data,
      fmt::format("X has {} in row {}, column {}: give numbers of magnitude up to {:g}, not "
                  "infinity; NaN stands for a missing one",
                  value, row + 1, column + 1, kMaxMagnitude));
}

void check_row(std::span<const double> values, std::size_t row) {
  if (all_of_values(values, [](double value) { return !too_large(value); })) return;
  const auto bad = std::find_if(values.begin(), values.end(), too_large);
  refuse(*bad, row, static_cast<std::size_t>(bad - values.begin()));
}

// Adds a row, which is removed again if filling it throws.
template <class Fill>
void add_row(RowBatch& batch, Label label, std::size_t row, const Fill& fill) {
  batch.begin_row();
  try {
    fill();
  } catch (...) {
    batch.cancel_row();
    throw;
  }
  batch.end_row(label, row + 1);
}

}  // namespace

void NumberRows::rewind(const Encoder& encoder) {
  check_kind(encoder, /*named=*/false);
  const std::size_t wanted = encoder.schema().size();
  if (encoder.plan().has_role(ColumnRole::categorical) ||
      encoder.plan().has_role(ColumnRole::time)) {
    throw Error(ErrorKind::data,
                "X is an array, but the model was made from a table with columns of categories or "
                "times; give it such a table");
  }
  if (columns_ != wanted) {
    throw Error(ErrorKind::data, fmt::format("X has {} features, but the model expects {} features",
                                             columns_, wanted));
  }
  next_ = 0;
}

MatrixRows::MatrixRows(const Matrix& matrix)
    : NumberRows(matrix.shape(0), matrix.shape(1)), matrix_(matrix) {
  copy_ = with_kind(matrix, "X", []<class T>(const T*) {
    return +[](const Matrix& from, std::size_t row, std::span<double> to) {
      const T* const at =
          static_cast<const T*>(from.data()) + static_cast<std::int64_t>(row) * from.stride(0);
      const auto right = from.stride(1);
      if (right == 1) {
        std::copy_n(at, to.size(), to.data());
      } else {
        for (std::size_t j = 0; j < to.size(); ++j) {
          to[j] = static_cast<double>(at[static_cast<std::int64_t>(j) * right]);
        }
      }
    };
  });
}

void MatrixRows::add(const Encoder&, Label label, RowBatch& batch) {
  const std::size_t row = next();
  add_row(batch, label, row, [&] {
    if (!batch.sparse()) {
      copy_(matrix_, row, batch.dense_row());
      return check_row(batch.dense_row(), row);
    }
    values_.resize(columns());
    copy_(matrix_, row, values_);
    check_row(values_, row);
    for (std::size_t j = 0; j < values_.size(); ++j) {
      if (values_[j] != 0 && !std::isnan(values_[j])) batch.add(j, values_[j]);
    }
  });
}

SparseMatrixRows::SparseMatrixRows(const SparseMatrix& matrix)
    : NumberRows(matrix.starts.shape(0) - 1, matrix.width), matrix_(matrix) {
  const auto at = [](const Vector& column, const char* name) {
    return with_kind(column, name, []<class T>(const T*) {
      return +[](const Vector& from, std::size_t i) {
        return static_cast<double>(
            static_cast<const T*>(from.data())[static_cast<std::int64_t>(i) * from.stride(0)]);
      };
    });
  };
  value_at_ = at(matrix.values, "X.data");
  column_at_ = at(matrix.columns, "X.indices");
  start_at_ = at(matrix.starts, "X.indptr");
}

void SparseMatrixRows::add(const Encoder&, Label label, RowBatch& batch) {
  const std::size_t row = next();
  const double begin = start_at_(matrix_.starts, row), end = start_at_(matrix_.starts, row + 1);
  const auto stored =
      static_cast<double>(std::min(matrix_.values.shape(0), matrix_.columns.shape(0)));
  const auto refuse_row = [&] {
    throw Error(
        ErrorKind::data,
        fmt::format("row {} of X is not a valid sparse row: its parts contradict each other",
                    row + 1));
  };
  add_row(batch, label, row, [&] {
    if (!(begin >= 0 && end <= stored)) refuse_row();
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const double column = column_at_(matrix_.columns, k);
      if (!(column >= 0 && column < static_cast<double>(columns()))) refuse_row();
      const double value = value_at_(matrix_.values, k);
      if (too_large(value)) refuse(value, row, static_cast<std::size_t>(column));
      // Duplicate entries are summed, as in SciPy; missing values of a sparse row are absent.
      if (!batch.sparse() || !std::isnan(value)) batch.add(static_cast<std::size_t>(column), value);
    }
  });
}

std::vector<Label> indices_of(const Vector& labels, std::span<const double> classes) {
  return with_kind(labels, "y", [&]<class T>(const T*) {
    const T* at = static_cast<const T*>(labels.data());
    std::vector<Label> found_indices(labels.shape(0));
    for (std::size_t i = 0; i < found_indices.size(); ++i, at += labels.stride(0)) {
      const auto value = static_cast<double>(*at);
      const auto found = std::find(classes.begin(), classes.end(), value);
      if (found == classes.end()) {
        throw Error(ErrorKind::data,
                    fmt::format("the label {} of row {} is not one of the classes [{}]", value,
                                i + 1, fmt::join(classes, ", ")));
      }
      found_indices[i] = static_cast<Label>(found - classes.begin());
    }
    return found_indices;
  });
}

std::vector<Label> indices(const Vector& labels, std::size_t classes) {
  std::vector<Label> all = copied<Label>(labels, "y");
  if (std::any_of(all.begin(), all.end(), [&](Label index) { return index >= classes; })) {
    throw Error(ErrorKind::data, fmt::format("a label is not one of {} classes", classes));
  }
  return all;
}

std::vector<std::uint32_t> counts_of(const Vector& times) {
  return copied<std::uint32_t>(times, "the weights");
}

std::vector<Costs> costs_of(const Matrix& costs, std::size_t rows) {
  if (costs.shape(0) != rows || costs.shape(1) != 2) {
    throw Error(ErrorKind::data,
                fmt::format("costs have to be two for each of {} rows, of a false positive and of "
                            "a false negative, but their shape is ({}, {})",
                            rows, costs.shape(0), costs.shape(1)));
  }
  return with_kind(costs, "costs", [&]<class T>(const T*) {
    const T* const data = static_cast<const T*>(costs.data());
    std::vector<Costs> all(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const T* const row = data + static_cast<std::int64_t>(i) * costs.stride(0);
      all[i] = {static_cast<double>(row[0]), static_cast<double>(row[costs.stride(1)])};
      for (const double cost : {all[i].false_positive, all[i].false_negative}) {
        if (cost >= 0 && cost <= kMaxCost) continue;
        throw Error(ErrorKind::data, fmt::format("the cost {} of row {} is not from 0 to {:g}",
                                                 cost, i + 1, kMaxCost));
      }
    }
    return all;
  });
}

Numbers as_array(std::vector<double>&& values, std::size_t rows, std::size_t columns) {
  auto owned = std::make_unique<std::vector<double>>(std::move(values));
  double* const data = owned->data();
  nb::capsule owner(owned.release(), [](void* pointer) noexcept {
    delete static_cast<std::vector<double>*>(pointer);
  });
  return Numbers(data, {rows, columns}, owner);
}

}  // namespace plumbline::python
