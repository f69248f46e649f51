#include "paper/results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/json/json.h"

namespace plumbline::paper {
namespace {

bool is_published_column(const std::string& name) {
  return std::ranges::find(kColumns, name) != kColumns.end();
}

// One entry per run.
Json last_half_json(const Cell& cell) {
  Json list = Json::array();
  for (const RunResult& run : cell.runs) {
    list.push_back({{"ece", run.last_half->calibration_error},
                    {"bins", run.last_half->bins.size()},
                    {"bins_outside", run.last_half->outside()},
                    {"inside", run.last_half->inside()}});
  }
  return list;
}

template <class Better>
const Cell* extreme_fixed(const ResultRow& row, const Better& better) {
  const Cell* found = nullptr;
  for (const Cell& cell : row.cells) {
    if (!fixed_every(cell.policy)) continue;
    if (found == nullptr || better(cell.log_loss().mean, found->log_loss().mean)) found = &cell;
  }
  return found;
}

}  // namespace

MeanInterval Cell::log_loss() const {
  std::vector<double> losses;
  for (const RunResult& run : runs) losses.push_back(run.log_loss);
  return mean_interval(losses);
}

double Cell::calibrated() const {
  double sum = 0;
  for (const RunResult& run : runs) sum += run.calibrated;
  return sum / static_cast<double>(runs.size());
}

bool Cell::has_last_half() const {
  return std::ranges::all_of(runs, [](const RunResult& run) { return run.last_half.has_value(); });
}

std::size_t Cell::runs_inside() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runs, [](const RunResult& run) { return run.last_half->inside(); }));
}

MeanInterval Cell::last_half_error() const {
  std::vector<double> errors;
  for (const RunResult& run : runs) errors.push_back(run.last_half->calibration_error);
  return mean_interval(errors);
}

const Cell* ResultRow::find(const std::string& policy) const {
  const auto found = std::ranges::find(cells, policy, &Cell::policy);
  return found == cells.end() ? nullptr : &*found;
}

const Cell* ResultRow::best_fixed() const {
  return extreme_fixed(*this, [](double a, double b) { return a < b; });
}

const Cell* ResultRow::worst_fixed() const {
  return extreme_fixed(*this, [](double a, double b) { return a > b; });
}

const Cell* ResultRow::column(const std::string& name) const {
  if (name == "best_fixed") return best_fixed();
  if (name == "worst_fixed") return worst_fixed();
  return find(name);
}

std::optional<Published> published_beside(const ResultRow& row, const std::string& column) {
  if (is_published_column(column)) return published(row.table->name, row.data_set, column);
  if (fixed_every(column)) return std::nullopt;
  std::optional<Published> lowest;
  for (const std::string_view name : kColumns) {
    const auto one = published(row.table->name, row.data_set, name);
    if (one && (!lowest || one->log_loss < lowest->log_loss)) lowest = one;
  }
  return lowest;
}

std::vector<std::string> columns_of(const ResultRow& row) {
  std::vector<std::string> names;
  for (const std::string_view name : kColumns) {
    if (row.column(std::string(name)) != nullptr) names.emplace_back(name);
  }
  for (const Cell& cell : row.cells) {
    if (!is_published_column(cell.policy)) names.push_back(cell.policy);
  }
  return names;
}

std::string results_json(const Results& results) {
  Json list = Json::array();
  const auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  for (const ResultRow& row : results) {
    for (const std::string& column : columns_of(row)) {
      const Cell& cell = *row.column(column);
      const MeanInterval loss = cell.log_loss();
      const auto theirs = published_beside(row, column);
      Json entry{{"table", row.table->name},
                 {"learner", row.table->learner},
                 {"T", row.table->size},
                 {"l1_lambda", number(row.table->l1_lambda)},
                 {"dataset", row.data_set},
                 {"policy", column},
                 {"runs", cell.runs.size()},
                 {"log_loss", loss.mean},
                 {"ci95", loss.half_width},
                 {"paper_log_loss", theirs ? Json(theirs->log_loss) : Json()},
                 {"paper_ci95", theirs ? Json(theirs->ci95) : Json()},
                 {"ratio", theirs ? Json(loss.mean / theirs->log_loss) : Json()},
                 {"calibrated", cell.calibrated()}};
      if (const auto every = fixed_every(cell.policy)) entry["N_c"] = *every;
      if (cell.has_last_half()) entry["last_half"] = last_half_json(cell);
      list.push_back(std::move(entry));
    }
  }
  return print_json(list, 1) + "\n";
}

std::string tables_csv(const Results& results) {
  std::string text = "table,learner,T,l1_lambda,dataset,policy,log_loss,ci95\n";
  for (const ResultRow& row : results) {
    const std::string lambda =
        row.table->l1_lambda ? fmt::format("{}", *row.table->l1_lambda) : std::string();
    for (const std::string& column : columns_of(row)) {
      if (fixed_every(column)) continue;  // the published file has only the best and the worst
      const MeanInterval loss = row.column(column)->log_loss();
      text +=
          fmt::format("{},{},{},{},{},{},{:.6g},{:.6g}\n", row.table->name, row.table->learner,
                      row.table->size, lambda, row.data_set, column, loss.mean, loss.half_width);
    }
  }
  return text;
}

void Distance::add(double ours, double theirs) {
  sum += std::abs(std::log(ours / theirs));
  ++count;
}

void LogRatios::add(double ratio) {
  sum += std::log(ratio);
  ++count;
}

double LogRatios::geometric_mean() const {
  return count == 0 ? 1 : std::exp(sum / static_cast<double>(count));
}

}  // namespace plumbline::paper
