// Minibatches: rows of numeric features, optionally with labels.
//
// `Batch` and `Examples` are non-owning views. `Minibatch` owns its rows and is reused from one read
// to the next, so that a steady stream allocates nothing. A binary label is 1 for the positive class
// and 0 for the negative one (the paper's +1 and -1); a multiclass label is an index into
// `Schema::classes`.
//
// Rows are dense or sparse. A dense row has a value for each feature. A sparse row lists the features
// that are present, in ascending order, each once. The other features are absent; learners that
// support dense rows only see them as 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

class OptionVisitor;

// Misclassification costs: of a false alarm (false positive) and of a miss (false negative).
struct Costs {
  double false_positive = 1;
  double false_negative = 1;

  bool operator==(const Costs&) const = default;
  void visit(OptionVisitor& visitor);
};

// The largest cost that users may give.
inline constexpr double kMaxCost = 1e12;

using Label = std::uint8_t;

// A present feature of a sparse row.
struct Entry {
  std::uint32_t feature;
  double value;

  bool operator==(const Entry&) const = default;
};

struct Batch {
  std::span<const double> values{};  // dense rows: the values, row after row
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::span<const Entry> entries{};  // sparse rows: the entries, row after row
  std::span<const std::size_t>
      starts{};  // sparse rows: where each row starts in `entries`, then the end
  // Scores of other models (Schema::scores), row after row; NaN is a missing one. Empty if the model takes none.
  std::span<const double> scores{};

  bool sparse() const { return !starts.empty(); }
  std::span<const double> row(std::size_t i) const { return values.subspan(i * columns, columns); }
  std::span<const Entry> sparse_row(std::size_t i) const {
    return entries.subspan(starts[i], starts[i + 1] - starts[i]);
  }
  // The rows [first, first + count).
  Batch part(std::size_t first, std::size_t count) const;
};

struct Examples {
  Batch x;
  std::span<const Label> y;
  // Per-example misclassification costs; empty if none were given.
  std::span<const Costs> costs{};

  std::size_t size() const { return x.rows; }
  // The examples [first, first + count).
  Examples part(std::size_t first, std::size_t count) const;
};

class Minibatch {
 public:
  explicit Minibatch(std::size_t columns) : columns_(columns) {}

  void clear();
  // Adds one row and returns its features for the caller to fill in.
  std::span<double> add(Label label);
  // Sets the costs of the row added last. Either all rows have costs or none.
  void add_costs(const Costs& costs) { costs_.push_back(costs); }
  void remove_last();
  // Adds columns to every row, filled with 0.
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
// positive. They form a table with one column per score source. Reports and calibrators of a single
// score use the first column. This is a non-owning view; several calibrators that read the same scores
// can share their logits, which are then computed once.
struct Scores {
  Scores(std::span<const double> all, std::size_t row_count,
         std::span<const double> shared_logits = {})
      : values(all), rows(row_count), logits(shared_logits) {}
  // A single column.
  Scores(std::span<const double> only) : values(only), rows(only.size()) {}
  Scores(const std::vector<double>& only) : Scores(std::span<const double>(only)) {}

  std::size_t columns() const { return rows == 0 ? 0 : values.size() / rows; }
  std::span<const double> column(std::size_t k) const { return values.subspan(k * rows, rows); }
  // ln(s/(1 - s)), with s clamped to [1e-6, 1 - 1e-6].
  double logit(std::size_t k, std::size_t row) const;

  std::span<const double> values;  // column after column
  std::size_t rows;
  std::span<const double> logits;  // shared logits of the first columns; may be empty
};

// The largest magnitude of a feature value: sums of squares must fit into a double.
inline constexpr double kMaxMagnitude = 1e150;
// A bound of sums of such squares, and of all saved state.
inline constexpr double kMaxState = 1e302;

// Throws a data error that names the row and the column if the batch does not have `columns` columns,
// or if a value is NaN, infinite or beyond kMaxMagnitude.
void check_rows(const Batch& batch, std::size_t columns);
// Throws a data error unless every row has a label below `classes` and, if there are costs, two costs
// from 0 to kMaxMagnitude.
void check_targets(const Examples& examples, std::size_t classes = 2);
// check_rows and check_targets.
void check_examples(const Examples& examples, std::size_t columns, std::size_t classes = 2);

PLUMBLINE_END_NAMESPACE
