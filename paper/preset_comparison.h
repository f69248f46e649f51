// The comparison of a preset with the paper's best published policy, over several rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paper/results.h"

namespace plumbline::paper {

struct PresetComparison {
  std::string name;               // of the group of rows
  std::size_t rows = 0;           // rows with a published number
  std::size_t at_most = 0;        // rows whose log-loss is at most the published one
  double log_ratios = 0;          // the sum of ln(ours/theirs)
  double worst = 0;               // the largest ours/theirs
  std::string worst_row{};        // the row with that ratio
  std::size_t runs = 0;           // runs of these rows
  std::size_t inside = 0;         // runs with a curve inside its band
  std::size_t mostly_inside = 0;  // rows with at least nine of ten such runs

  void add(const ResultRow& row);
  // The geometric mean of ours/theirs.
  double ratio() const;
};

// Comparisons of the first policy of each row, which is the preset and has recorded its last halves:
// one for each table, one for each data set, one for the stationary sets and one for the others, and
// one for all rows.
std::vector<PresetComparison> preset_comparisons(const Results& results);

}  // namespace plumbline::paper
