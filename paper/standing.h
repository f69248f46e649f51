// How a preset stands beside the best policy that the paper published, over several rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paper/results.h"

namespace plumbline::paper {

struct Standing {
  std::string name;               // what the rows have in common
  std::size_t rows = 0;           // the paper has a number for each
  std::size_t at_most = 0;        // those whose log-loss is at most the published one
  double log_ratios = 0;          // the sum of ln(ours/theirs)
  double worst = 0;               // the largest ours/theirs,
  std::string worst_row{};        // and whose it is
  std::size_t runs = 0;           // of these rows,
  std::size_t inside = 0;         // and those with a curve inside its band
  std::size_t mostly_inside = 0;  // rows with at least nine of ten such runs

  void add(const ResultRow& row);
  // The geometric mean of ours/theirs.
  double ratio() const;
};

// Of the first policy of each row, which is the preset and has kept its last halves: one standing
// for each table, one for each data set, those of the stationary sets and of the others, and all.
std::vector<Standing> standings(const Results& results);

}  // namespace plumbline::paper
