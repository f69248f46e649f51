// Minibatches: rows of numeric features, with labels when they are known.
//
// `Batch` and `Examples` are views and own nothing; `Minibatch` owns its rows and is reused from
// one read to the next, so that a steady stream allocates nothing. A label is 1 for the positive
// class and 0 for the negative one (the paper's +1 and -1); of several classes it is the place in the
// schema's list of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/data/costs.h"

namespace plumbline {

using Label = std::uint8_t;

// Dense rows, one after the other.
struct Batch {
  std::span<const double> values;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::span<const double> row(std::size_t i) const { return values.subspan(i * columns, columns); }
  // `count` rows from the row `first` on.
  Batch part(std::size_t first, std::size_t count) const {
    return {values.subspan(first * columns, count * columns), count, columns};
  }
};

struct Examples {
  Batch x;
  std::span<const Label> y;
  // What a wrong decision about each of them costs; empty where nobody has said so.
  std::span<const Costs> costs{};

  std::size_t size() const { return x.rows; }
  // `count` examples from the example `first` on, without costs.
  Examples part(std::size_t first, std::size_t count) const {
    return {x.part(first, count), y.subspan(first, count)};
  }
};

class Minibatch {
 public:
  explicit Minibatch(std::size_t columns) : columns_(columns) {}

  void clear();
  // Adds one row and returns its features to be filled in.
  std::span<double> add(Label label);
  // Costs of the row added last; for all rows or for none.
  void add_costs(const Costs& costs) { costs_.push_back(costs); }
  void remove_last();
  // Gives every row more columns, all 0.
  void widen(std::size_t columns);

  std::size_t rows() const { return labels_.size(); }
  std::size_t columns() const { return columns_; }
  std::span<double> row(std::size_t i) {
    return std::span(values_).subspan(i * columns_, columns_);
  }
  Batch features() const { return {values_, rows(), columns_}; }
  Examples examples() const { return {features(), labels_, costs_}; }

 private:
  std::size_t columns_;
  std::vector<double> values_;
  std::vector<Label> labels_;
  std::vector<Costs> costs_;
};

// Larger magnitudes are refused: the square of one must fit a double with room for sums.
inline constexpr double kMaxMagnitude = 1e150;
// Sums of such squares stay below this; nothing that is saved is larger.
inline constexpr double kMaxState = 1e302;

// Throws a data error that names the row and the column if the batch has another number of columns
// than `columns`, or a value that is NaN, infinite or beyond kMaxMagnitude.
void check(const Batch& batch, std::size_t columns);
// Throws a data error unless there is one label for each row, less than `classes`, and, if there are any
// costs, two for each row, from 0 to kMaxMagnitude.
void check_targets(const Examples& examples, std::size_t classes = 2);
// Both.
void check(const Examples& examples, std::size_t columns, std::size_t classes = 2);

}  // namespace plumbline
