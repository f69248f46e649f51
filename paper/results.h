// The results of the experiments, and the published numbers for comparison.
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

  // The last half of each run: true if all runs have recorded it; the number of runs with a reliability
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
  // The fixed policies with the lowest and the highest mean; null if none ran.
  const Cell* best_fixed() const;
  const Cell* worst_fixed() const;
  // The cell of a column of the paper's tables (including best_fixed and worst_fixed), or of a policy.
  const Cell* column(const std::string& name) const;
};

using Results = std::vector<ResultRow>;

// The published number to compare with a column. A preset, which the paper does not have, is compared
// with the lowest of the row's nine.
std::optional<Published> published_beside(const ResultRow& row, const std::string& column);

// The columns of a row: the paper's nine, then the other policies that ran (each fixed policy, a preset).
std::vector<std::string> columns_of(const ResultRow& row);

// A list of objects, one for each column of each row.
std::string results_json(const Results& results);
// The paper's columns, in the format of its published file.
std::string tables_csv(const Results& results);

// The distance of the results from the published ones: |ln(ours/theirs)|.
struct Distance {
  double sum = 0;
  std::size_t count = 0;

  void add(double ours, double theirs);
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

// The sum of the logarithms of ratios, and their geometric mean.
struct LogRatios {
  double sum = 0;
  std::size_t count = 0;

  void add(double ratio);
  double geometric_mean() const;  // 1 if there are none
};

// Over the paper's nine columns of all rows that `wanted` accepts.
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
