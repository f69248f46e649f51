#include "paper/preset_comparison.h"

#include <algorithm>
#include <cmath>

#include "paper/data_sets.h"

namespace plumbline::paper {
namespace {

// Appends one comparison per name.
template <class NameOf>
void append(std::vector<PresetComparison>& list, const Results& results, const NameOf& name_of) {
  std::vector<PresetComparison> groups;
  for (const ResultRow& row : results) {
    auto found = std::ranges::find(groups, name_of(row), &PresetComparison::name);
    if (found == groups.end()) found = groups.insert(groups.end(), {.name = name_of(row)});
    found->add(row);
  }
  list.insert(list.end(), groups.begin(), groups.end());
}

}  // namespace

void PresetComparison::add(const ResultRow& row) {
  const Cell& cell = row.cells.front();
  const double ratio = cell.log_loss().mean / published_beside(row, cell.policy).value().log_loss;
  ++rows;
  at_most += ratio <= 1 ? 1 : 0;
  log_ratios += std::log(ratio);
  if (ratio > worst) {
    worst = ratio;
    worst_row = row.data_set;
  }
  runs += cell.runs.size();
  inside += cell.runs_inside();
  mostly_inside += 10 * cell.runs_inside() >= 9 * cell.runs.size() ? 1 : 0;
}

double PresetComparison::ratio() const { return std::exp(log_ratios / static_cast<double>(rows)); }

std::vector<PresetComparison> preset_comparisons(const Results& results) {
  std::vector<PresetComparison> list;
  append(list, results, [](const ResultRow& row) { return row.table->name; });
  append(list, results, [](const ResultRow& row) { return row.data_set; });
  append(list, results, [](const ResultRow& row) {
    return std::string(data_set(row.data_set).stationary ? "stationary" : "streams that change");
  });
  append(list, results, [](const ResultRow&) { return std::string("all"); });
  return list;
}

}  // namespace plumbline::paper
