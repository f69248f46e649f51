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
#include "plumbline/base/error.h"

namespace plumbline::python {
namespace {

// Calls use(static_cast<const T*>(nullptr)) with the kind of number T that the array has.
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

bool all_usable(std::span<const double> values) {
  return all_of_values(values, [](double value) { return !too_large(value); });
}

[[noreturn]] void refuse_row(std::span<const double> values, std::size_t row) {
  const auto bad = std::find_if(values.begin(), values.end(), too_large);
  refuse(*bad, row, static_cast<std::size_t>(bad - values.begin()));
}

}  // namespace

void NumberRows::rewind(const Encoder& encoder) {
  check_kind(encoder, /*named=*/false);
  const std::size_t wanted = encoder.schema().size();
  if (encoder.has_categories()) {
    throw Error(ErrorKind::data,
                "X is an array, but the model was made from a table with columns of categories; "
                "give it such a table");
  }
  if (columns_ != wanted) {
    throw Error(ErrorKind::data, fmt::format("X has {} features, but the model expects {} features",
                                             columns_, wanted));
  }
  next_ = 0;
}

void NumberRows::add(Label label, Minibatch& batch) {
  const std::span<double> to = batch.add(label);
  if (!copy(next_, to)) refuse_row(to, next_);
  ++next_;
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
      return all_usable(to);
    };
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

bool SparseMatrixRows::copy(std::size_t row, std::span<double> to) const {
  const double begin = start_at_(matrix_.starts, row), end = start_at_(matrix_.starts, row + 1);
  const auto stored =
      static_cast<double>(std::min(matrix_.values.shape(0), matrix_.columns.shape(0)));
  bool fits = begin >= 0 && end <= stored;
  for (auto k = static_cast<std::size_t>(begin); fits && k < static_cast<std::size_t>(end); ++k) {
    const double column = column_at_(matrix_.columns, k);
    fits = column >= 0 && column < static_cast<double>(to.size());
    // What is stored twice adds up, as in SciPy.
    if (fits) to[static_cast<std::size_t>(column)] += value_at_(matrix_.values, k);
  }
  if (!fits) {
    throw Error(
        ErrorKind::data,
        fmt::format("row {} of X is no sparse row: its parts contradict each other", row + 1));
  }
  return all_usable(to);
}

std::vector<Label> places_of(const Vector& labels, std::span<const double> classes) {
  return with_kind(labels, "y", [&]<class T>(const T*) {
    const T* at = static_cast<const T*>(labels.data());
    std::vector<Label> places(labels.shape(0));
    for (std::size_t i = 0; i < places.size(); ++i, at += labels.stride(0)) {
      const auto value = static_cast<double>(*at);
      const auto found = std::find(classes.begin(), classes.end(), value);
      if (found == classes.end()) {
        throw Error(ErrorKind::data,
                    fmt::format("the label {} of row {} is none of the classes [{}]", value, i + 1,
                                fmt::join(classes, ", ")));
      }
      places[i] = static_cast<Label>(found - classes.begin());
    }
    return places;
  });
}

std::vector<Label> places(const Vector& labels, std::size_t classes) {
  std::vector<Label> all = copied<Label>(labels, "y");
  if (std::any_of(all.begin(), all.end(), [&](Label place) { return place >= classes; })) {
    throw Error(ErrorKind::data, fmt::format("a label is none of {} classes", classes));
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
