// What the experiments gave, beside what the paper published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paper/experiment.h"
#include "paper/published.h"
#include "paper/tables.h"
#include "plumbline/math/stats.h"

namespace plumbline::paper {

// One policy on one row of a table, over all runs.
struct Cell {
  std::string policy;
  std::vector<RunResult> runs;

  MeanInterval log_loss() const;
  double calibrated() const;  // the mean share of minibatches

  // Of the last half of each run. Whether all runs have kept it; how many of them had a reliability
  // curve inside its simultaneous band; their mean calibration error.
  bool has_last_half() const;
  std::size_t runs_inside() const;
  MeanInterval last_half_error() const;
};

// One row of one table: a data set.
struct ResultRow {
  const Table* table;
  std::string data_set;
  std::vector<Cell> cells;  // in the order of the policies

  const Cell* find(const std::string& policy) const;
  // The fixed policy with the lowest and with the highest mean; null if none ran.
  const Cell* best_fixed() const;
  const Cell* worst_fixed() const;
  // The cell behind a column of the paper's tables (best_fixed and worst_fixed too), or a policy.
  const Cell* column(const std::string& name) const;
};

using Results = std::vector<ResultRow>;

// The published number beside a column. Beside a preset, which the paper does not have, stands the
// lowest of the row's nine.
std::optional<Published> published_beside(const ResultRow& row, const std::string& column);

// The columns that a row can show: the paper's nine, then whatever else ran (each fixed policy, a
// preset).
std::vector<std::string> columns_of(const ResultRow& row);

// A list of objects, one for each column of each row.
std::string results_json(const Results& results);
// The paper's columns in the columns of its published file.
std::string tables_csv(const Results& results);

// How far the results are from the published ones: |ln(ours/theirs)|.
struct Distance {
  double sum = 0;
  std::size_t count = 0;

  void add(double ours, double theirs);
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

// Over the paper's nine columns of all rows that `wanted` takes.
template <class Wanted>
Distance distance(const Results& results, const Wanted& wanted) {
  Distance total;
  for (const ResultRow& row : results) {
    for (const std::string_view name : kColumns) {
      const std::string column(name);
      const Cell* const ours = row.column(column);
      const auto theirs = published(row.table->name, row.data_set, column);
      if (ours == nullptr || !theirs || !wanted(row, column)) continue;
      total.add(ours->log_loss().mean, theirs->log_loss);
    }
  }
  return total;
}

}  // namespace plumbline::paper
