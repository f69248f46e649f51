// Minibatches: rows of numeric features, with labels when they are known.
//
// `Batch` and `Examples` are views and own nothing; `Minibatch` owns its rows and is reused from
// one read to the next, so that a steady stream allocates nothing. A label is 1 for the positive
// class and 0 for the negative one (the paper's +1 and -1); of several classes it is the index in the
// schema's list of them.
//
// Rows are dense or sparse. A dense row has a value for each feature. A sparse row lists the features
// that it has, in ascending order, each once; the others are absent, which counts as 0 for a learner
// that knows dense rows alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

class OptionVisitor;

// What wrong decisions cost: a false alarm (false positive) and a miss (false negative).
struct Costs {
  double false_positive = 1;
  double false_negative = 1;

  bool operator==(const Costs&) const = default;
  void visit(OptionVisitor& visitor);
};

// No cost that a user gives may be larger.
inline constexpr double kMaxCost = 1e12;

using Label = std::uint8_t;

// A feature of a sparse row.
struct Entry {
  std::uint32_t feature;
  double value;

  bool operator==(const Entry&) const = default;
};

struct Batch {
  std::span<const double> values{};  // of dense rows, one row after the other
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::span<const Entry> entries{};       // of sparse rows
  std::span<const std::size_t> starts{};  // of sparse rows: of each row in `entries`, and the end

  bool sparse() const { return !starts.empty(); }
  std::span<const double> row(std::size_t i) const { return values.subspan(i * columns, columns); }
  std::span<const Entry> sparse_row(std::size_t i) const {
    return entries.subspan(starts[i], starts[i + 1] - starts[i]);
  }
  // `count` rows from the row `first` on.
  Batch part(std::size_t first, std::size_t count) const;
};

struct Examples {
  Batch x;
  std::span<const Label> y;
  // Per-example misclassification costs; empty if none were given.
  std::span<const Costs> costs{};

  std::size_t size() const { return x.rows; }
  // `count` examples from the example `first` on.
  Examples part(std::size_t first, std::size_t count) const;
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

// Uncalibrated scores of a minibatch: one or more per row, in [0, 1], higher means more likely
// positive. They are a table of one column per kind of score. The first column is "the score" of
// reports and of plain calibrators; the others score the same rows in other ways. This is a view and owns
// nothing; several readers of the same scores may share their logits, computed once for all of them.
struct Scores {
  Scores(std::span<const double> all, std::size_t row_count,
         std::span<const double> shared_logits = {})
      : values(all), rows(row_count), logits(shared_logits) {}
  // One score for each row.
  Scores(std::span<const double> only) : values(only), rows(only.size()) {}
  Scores(const std::vector<double>& only) : Scores(std::span<const double>(only)) {}

  std::size_t columns() const { return rows == 0 ? 0 : values.size() / rows; }
  std::span<const double> column(std::size_t k) const { return values.subspan(k * rows, rows); }
  // ln(s/(1 - s)), with s kept 1e-6 off 0 and 1.
  double logit(std::size_t k, std::size_t row) const;

  std::span<const double> values;  // column after column
  std::size_t rows;
  std::span<const double> logits;  // shared ones, of the first columns
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

PLUMBLINE_END_NAMESPACE
