#include "plumbline/batch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/base/all_of.h"
#include "plumbline/data/usable.h"
#include "plumbline/error.h"

namespace plumbline::inline v0 {

Batch Batch::part(std::size_t first, std::size_t count) const {
  Batch part = *this;
  part.rows = count;
  if (!scores.empty()) {
    const std::size_t each = scores.size() / rows;
    part.scores = scores.subspan(first * each, count * each);
  }
  if (sparse()) {
    part.starts = starts.subspan(first, count + 1);
  } else {
    part.values = values.subspan(first * columns, count * columns);
  }
  return part;
}

Examples Examples::part(std::size_t first, std::size_t count) const {
  return {x.part(first, count), y.subspan(first, count),
          costs.empty() ? costs : costs.subspan(first, count)};
}

void Minibatch::clear() {
  values_.clear();
  labels_.clear();
  costs_.clear();
}

std::span<double> Minibatch::add(Label label) {
  labels_.push_back(label);
  values_.resize(values_.size() + columns_);
  return std::span(values_).last(columns_);
}

void Minibatch::remove_last() {
  if (costs_.size() == labels_.size()) costs_.pop_back();
  labels_.pop_back();
  values_.resize(values_.size() - columns_);
}

void Minibatch::widen(std::size_t columns) {
  std::vector<double> wider(rows() * columns);
  for (std::size_t i = 0; i < rows(); ++i) {
    std::ranges::copy(row(i), wider.begin() + static_cast<std::ptrdiff_t>(i * columns));
  }
  values_ = std::move(wider);
  columns_ = columns;
}

namespace {

[[noreturn]] void refuse_value(std::size_t row, std::size_t feature, double value) {
  const char* const reason = !std::isfinite(value)
                                 ? "is not a finite number; impute missing values or drop the row"
                                 : "is beyond 1e150 in magnitude; rescale the feature";
  throw Error(ErrorKind::data, fmt::format("row {}, feature {}: the value {} {}", row + 1,
                                           feature + 1, value, reason));
}

void check_sparse(const Batch& batch) {
  if (batch.starts.size() != batch.rows + 1 || batch.starts.back() > batch.entries.size()) {
    throw Error(ErrorKind::data,
                fmt::format("{} starts of rows were given for {} sparse rows, with {} entries",
                            batch.starts.size(), batch.rows, batch.entries.size()));
  }
  for (std::size_t i = 0; i < batch.rows; ++i) {
    if (batch.starts[i] > batch.starts[i + 1]) {
      throw Error(ErrorKind::data, fmt::format("sparse row {} ends before it begins", i + 1));
    }
    std::size_t next = 0;  // the smallest feature that may follow
    for (const auto& [feature, value] : batch.sparse_row(i)) {
      if (feature < next || feature >= batch.columns) {
        throw Error(ErrorKind::data,
                    fmt::format("row {}: features must be ascending and below {}; {} is not", i + 1,
                                batch.columns, feature));
      }
      next = std::size_t{feature} + 1;
      if (!is_usable(value)) refuse_value(i, feature, value);
    }
  }
}

}  // namespace

void check_rows(const Batch& batch, std::size_t columns) {
  if (batch.columns != columns) {
    throw Error(ErrorKind::data,
                fmt::format("the rows have {} features, but the model was made for {}",
                            batch.columns, columns));
  }
  if (batch.sparse()) return check_sparse(batch);
  // By division, because the product could overflow.
  const bool fits = columns == 0 ? batch.values.empty()
                                 : batch.values.size() % columns == 0 &&
                                       batch.values.size() / columns == batch.rows;
  if (!fits) {
    throw Error(ErrorKind::data, fmt::format("{} values were given for {} rows of {} features",
                                             batch.values.size(), batch.rows, batch.columns));
  }
  if (all_of_values(batch.values, is_usable)) return;
  for (std::size_t at = 0; at < batch.values.size(); ++at) {
    if (!is_usable(batch.values[at])) refuse_value(at / columns, at % columns, batch.values[at]);
  }
}

namespace {

void check_costs(const Examples& examples) {
  if (!examples.costs.empty() && examples.costs.size() != examples.size()) {
    throw Error(ErrorKind::data, fmt::format("costs were given for {} of {} rows",
                                             examples.costs.size(), examples.size()));
  }
  const auto fits = [](double cost) { return cost >= 0 && cost <= kMaxMagnitude; };
  for (std::size_t i = 0; i < examples.costs.size(); ++i) {
    const Costs& costs = examples.costs[i];
    if (fits(costs.false_positive) && fits(costs.false_negative)) continue;
    throw Error(ErrorKind::data,
                fmt::format("row {}: the costs are {} and {}, but a cost must be 0 or more, and "
                            "finite",
                            i + 1, costs.false_positive, costs.false_negative));
  }
}

void check_count(const Examples& examples) {
  if (examples.y.size() == examples.x.rows) return;
  throw Error(ErrorKind::data,
              fmt::format("{} labels were given for {} rows", examples.y.size(), examples.x.rows));
}

}  // namespace

void check_targets(const Examples& examples, std::size_t classes) {
  check_count(examples);
  for (std::size_t i = 0; i < examples.y.size(); ++i) {
    if (examples.y[i] < classes) continue;
    throw Error(ErrorKind::data,
                fmt::format("row {}: the label is {}, but a label {}", i + 1, examples.y[i],
                            classes == 2 ? "must be 0 (negative) or 1 (positive)"
                                         : fmt::format("of {} classes must be less", classes)));
  }
  check_costs(examples);
}

void check_examples(const Examples& examples, std::size_t columns, std::size_t classes) {
  check_rows(examples.x, columns);
  check_targets(examples, classes);
}

}  // namespace plumbline::inline v0
