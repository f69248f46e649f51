#include "arrays.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "plumbline/core/error.h"

namespace plumbline::python {
namespace {

// Calls use(first) with a pointer to the first number, of whatever kind it is.
template <class Use>
void with_numbers(const Matrix& rows, const Use& use) {
  const nb::dlpack::dtype type = rows.dtype();
  const auto each = [&]<class... Kinds>(std::tuple<Kinds...>*) {
    return ((type == nb::dtype<Kinds>() ? (use(static_cast<const Kinds*>(rows.data())), true)
                                        : false) ||
            ...);
  };
  using All = std::tuple<double, float, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                         std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t, bool>;
  if (!each(static_cast<All*>(nullptr))) {
    throw Error(ErrorKind::data, "X has to be an array of numbers");
  }
}

[[noreturn]] void refuse(double value, std::size_t row, std::size_t column) {
  throw Error(
      ErrorKind::data,
      fmt::format("X has {} in row {}, column {}: give numbers of magnitude up to {:g}, not "
                  "infinity; NaN stands for a missing one",
                  value, row + 1, column + 1, kMaxMagnitude));
}

void check_width(const Matrix& rows, std::size_t columns) {
  if (rows.shape(1) == columns) return;
  throw Error(ErrorKind::data, fmt::format("X has {} features, but the model expects {} features",
                                           rows.shape(1), columns));
}

template <class T>
void copy(const T* from, std::int64_t right, std::size_t row, std::span<double> to) {
  for (std::size_t j = 0; j < to.size(); ++j, from += right) {
    to[j] = static_cast<double>(*from);
    if (std::abs(to[j]) > kMaxMagnitude) refuse(to[j], row, j);
  }
}

}  // namespace

void check_numbers(const Matrix& rows, std::size_t columns) {
  check_width(rows, columns);
  with_numbers(rows, [&](const auto* first) {
    using T = std::remove_cvref_t<decltype(*first)>;
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t i = 0; i < rows.shape(0); ++i) {
        const T* at = first + static_cast<std::int64_t>(i) * rows.stride(0);
        for (std::size_t j = 0; j < columns; ++j, at += rows.stride(1)) {
          if (std::abs(static_cast<double>(*at)) > kMaxMagnitude) refuse(*at, i, j);
        }
      }
    }
  });
}

void fill(Minibatch& batch, const Matrix& rows, const std::uint8_t* labels, std::size_t first,
          std::size_t count) {
  check_width(rows, batch.columns());
  batch.clear();
  with_numbers(rows, [&](const auto* begin) {
    for (std::size_t i = first; i < first + count; ++i) {
      copy(begin + static_cast<std::int64_t>(i) * rows.stride(0), rows.stride(1), i,
           batch.add(labels == nullptr ? 0 : labels[i]));
    }
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

Numbers as_array(std::vector<double>&& values) {
  auto owned = std::make_unique<std::vector<double>>(std::move(values));
  double* const data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.release(), [](void* pointer) noexcept {
    delete static_cast<std::vector<double>*>(pointer);
  });
  return Numbers(data, {size}, owner);
}

}  // namespace plumbline::python
