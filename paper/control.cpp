#include "paper/control.h"

#include <algorithm>
#include <cmath>

#include "plumbline/json/json.h"

namespace plumbline::paper {
namespace {

constexpr const char* kLongest = "forest";

using Change = std::function<void(ModelConfig&)>;

// Applies one change after the other.
Change then(Change first, Change second) {
  return [first = std::move(first), second = std::move(second)](ModelConfig& config) {
    first(config);
    second(config);
  };
}

void fit_first_round(ModelConfig& config) { config.first_round = FirstRound::train_then_calibrate; }
void count_from_zero(ModelConfig& config) { config.policy.set("from", std::int64_t{0}); }
void calibrate_first(ModelConfig& config) { config.actions = {Action::calibrate, Action::train}; }
void remember(ModelConfig& config) { config.calibrator = "platt_newton"; }
void both_or_train(ModelConfig& config) { config.actions = {Action::both, Action::train}; }

// The paper's policies and a coin, with one change of the fixed policies and one of the others.
std::vector<PolicyRow> changed(const Change& fixed, const Change& others) {
  std::vector<PolicyRow> rows = policy_rows();
  rows.push_back({"coin", policy_title("coin"), "epsilon_greedy:epsilon=1"});
  for (PolicyRow& row : rows) {
    if (row.name != "uncalibrated") row.change = fixed_every(row.name) ? fixed : others;
  }
  return rows;
}

bool is_compared(const std::string& policy) {
  return policy != "uncalibrated" && !fixed_every(policy);
}

std::size_t index_of_table(const std::vector<const Table*>& tables, const Table* table) {
  return static_cast<std::size_t>(std::ranges::find(tables, table) - tables.begin());
}

// The sums behind a Comparison.
struct Ratios {
  explicit Ratios(std::size_t tables) : by_table(tables) {}

  void add(std::size_t table, double ratio) {
    by_table[table].add(ratio);
    all.add(ratio);
    if (ratio < 1) ++below;
  }

  Comparison finish(std::string policy) const {
    Comparison result{.policy = std::move(policy), .by_table = {}, .all = all.geometric_mean()};
    for (const LogRatios& one : by_table) result.by_table.push_back(one.geometric_mean());
    result.rows = all.count;
    result.below = below;
    return result;
  }

  std::vector<LogRatios> by_table;
  LogRatios all;
  std::size_t below = 0;
};

// ln(cell/best) of each run.
MeanInterval paired_log_ratio(const Cell& cell, const Cell& best) {
  std::vector<double> ratios;
  for (std::size_t run = 0; run < cell.runs.size(); ++run) {
    ratios.push_back(std::log(cell.runs[run].log_loss / best.runs[run].log_loss));
  }
  return mean_interval(ratios);
}

// The plan of one condition, without the number of runs.
Plan plan_of(const ControlOptions& options, const std::vector<const Table*>& tables,
             const Condition& condition) {
  Plan plan;
  plan.tables = tables;
  plan.policies = condition.policies;
  plan.reading.model = preset("paper").model;
  plan.data = options.data;
  plan.threads = options.threads;
  return plan;
}

// The data sets that were asked for and have a row, with forest or only forest.
std::vector<std::string> sets_of(const ControlOptions& options,
                                 const std::vector<const Table*>& tables, bool longest) {
  std::vector<std::string> sets;
  for (const DataSet& set : data_sets()) {
    const bool asked = options.data_sets.empty() ||
                       std::ranges::find(options.data_sets, set.name) != options.data_sets.end();
    const bool has_row = std::ranges::any_of(tables, [&](const Table* table) {
      return std::ranges::find(table->data_sets, set.name) != table->data_sets.end();
    });
    if (asked && has_row && (set.name == kLongest) == longest) sets.push_back(set.name);
  }
  return sets;
}

Json comparison_json(const Comparison& one, const std::vector<const Table*>& tables) {
  Json json{{"policy", one.policy},
            {"to_best_fixed", one.all},
            {"rows", one.rows},
            {"below", one.below},
            {"clearly_below", one.clearly_below},
            {"clearly_above", one.clearly_above}};
  for (std::size_t t = 0; t < tables.size(); ++t) json["tables"][tables[t]->name] = one.by_table[t];
  return json;
}

Json rows_json(const Results& results) {
  Json list = Json::array();
  for (const ResultRow& row : results) {
    const Cell& best = *row.best_fixed();
    Json entry{{"table", row.table->name},
               {"dataset", row.data_set},
               {"runs", best.runs.size()},
               {"best_fixed", best.log_loss().mean},
               {"N_c", *fixed_every(best.policy)}};
    for (const Cell& cell : row.cells) {
      entry["log_loss"][cell.policy] = cell.log_loss().mean;
      entry["calibrated"][cell.policy] = cell.calibrated();
      if (!is_compared(cell.policy)) continue;
      const MeanInterval ratio = paired_log_ratio(cell, best);
      entry["log_ratio"][cell.policy] = {{"mean", ratio.mean}, {"half_width", ratio.half_width}};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> list = [] {
    const Change none = [](ModelConfig&) {};
    std::vector<PolicyRow> as_in_paper = changed(none, none);
    as_in_paper.push_back({"greedy", policy_title("greedy"), "greedy"});
    std::vector<PolicyRow> with_both = changed(remember, then(remember, both_or_train));
    with_both.push_back({"always_both", policy_title("always_both"), "always:action=both",
                         then(remember, both_or_train)});
    return std::vector<Condition>{
        {"baseline", "the preset paper", as_in_paper},
        {"calibrate_first", "bandits calibrate on the second minibatch, as N_c = 2 does",
         changed(none, calibrate_first)},
        {"late_fixed",
         "the same, and fixed policies count from 0: N_c = 2 begins on the third minibatch",
         changed(count_from_zero, calibrate_first)},
        {"bandits_fitted", "bandits alone begin with a sigmoid fitted on the first minibatch",
         changed(none, fit_first_round)},
        {"all_fitted", "fixed policies begin with it, too",
         changed(fit_first_round, fit_first_round)},
        {"memory", "all policies have a calibrator that remembers (platt_newton)",
         changed(remember, then(remember, calibrate_first)), false},
        {"both",
         "the same, and bandits choose between both uses and training; fixed policies as before",
         with_both, false}};
  }();
  return list;
}

std::vector<Comparison> compare_with_best_fixed(const Results& results,
                                                const std::vector<const Table*>& tables) {
  std::vector<Comparison> list;
  for (const Cell& first : results.front().cells) {
    if (!is_compared(first.policy)) continue;
    Ratios ratios(tables.size());
    LogRatios to_second;
    std::size_t clearly_below = 0, clearly_above = 0;
    double calibrated = 0;
    for (const ResultRow& row : results) {
      const Cell &cell = *row.find(first.policy), &best = *row.best_fixed();
      const double loss = cell.log_loss().mean;
      ratios.add(index_of_table(tables, row.table), loss / best.log_loss().mean);
      to_second.add(loss / row.find("fixed_2")->log_loss().mean);
      const MeanInterval paired = paired_log_ratio(cell, best);
      // A single run has no interval.
      if (cell.runs.size() > 1 && paired.mean + paired.half_width < 0) ++clearly_below;
      if (cell.runs.size() > 1 && paired.mean - paired.half_width > 0) ++clearly_above;
      calibrated += cell.calibrated() / static_cast<double>(results.size());
    }
    Comparison& comparison = list.emplace_back(ratios.finish(first.policy));
    comparison.to_second = to_second.geometric_mean();
    comparison.clearly_below = clearly_below;
    comparison.clearly_above = clearly_above;
    comparison.calibrated = calibrated;
  }
  return list;
}

std::vector<Comparison> compare_published(const Results& results,
                                          const std::vector<const Table*>& tables) {
  std::vector<Comparison> list;
  for (const std::string_view column : kColumns) {
    const std::string policy(column);
    if (!is_compared(policy) || policy == "best_fixed" || policy == "worst_fixed") continue;
    Ratios ratios(tables.size());
    std::size_t clearly_below = 0, clearly_above = 0;
    for (const ResultRow& row : results) {
      const auto one = published(row.table->name, row.data_set, policy);
      const auto best = published(row.table->name, row.data_set, "best_fixed");
      ratios.add(index_of_table(tables, row.table), one->log_loss / best->log_loss);
      if (one->log_loss + one->ci95 < best->log_loss - best->ci95) ++clearly_below;
      if (one->log_loss - one->ci95 > best->log_loss + best->ci95) ++clearly_above;
    }
    Comparison& comparison = list.emplace_back(ratios.finish(policy));
    comparison.clearly_below = clearly_below;
    comparison.clearly_above = clearly_above;
  }
  return list;
}

Control run_control(const ControlOptions& options) {
  Control control{.tables = options.tables, .published = {}, .outcomes = {}};
  control.runs = options.runs;
  control.forest_runs = std::min(options.runs, options.forest_runs);
  if (control.tables.empty()) {
    for (const Table& table : tables()) control.tables.push_back(&table);
  }
  const std::vector<std::string> most = sets_of(options, control.tables, false);
  const std::vector<std::string> longest = sets_of(options, control.tables, true);
  // Conditions share runs: those of the policies that they do not change.
  RunCache cache;
  const std::size_t parts =
      conditions().size() * ((most.empty() ? 0 : 1) + (longest.empty() ? 0 : 1));
  std::size_t done_parts = 0;
  for (const Condition& condition : conditions()) {
    Control::Outcome outcome{&condition, {}, {}, {}};
    for (const auto& [sets, runs] :
         {std::pair{most, control.runs}, std::pair{longest, control.forest_runs}}) {
      if (sets.empty()) continue;
      Plan plan = plan_of(options, control.tables, condition);
      plan.data_sets = sets;
      plan.runs = runs;
      const Results results = execute(
          plan, nullptr,
          [&](double share, std::size_t done, std::size_t all) {
            if (!options.on_progress) return;
            options.on_progress(
                (static_cast<double>(done_parts) + share) / static_cast<double>(parts), done, all);
          },
          options.interrupted, &cache);
      outcome.results.insert(outcome.results.end(), results.begin(), results.end());
      ++done_parts;
    }
    outcome.comparisons = compare_with_best_fixed(outcome.results, control.tables);
    if (condition.of_paper) {
      outcome.distance =
          distance(outcome.results, [](const auto&, const auto&) { return true; }).mean();
    }
    control.outcomes.push_back(std::move(outcome));
  }
  control.published = compare_published(control.outcomes.front().results, control.tables);
  return control;
}

std::string control_json(const Control& control) {
  Json json{{"runs", control.runs}, {"forest_runs", control.forest_runs}};
  for (const Comparison& one : control.published) {
    json["published"].push_back(comparison_json(one, control.tables));
  }
  for (const Control::Outcome& outcome : control.outcomes) {
    Json entry{{"condition", outcome.condition->name},
               {"text", outcome.condition->text},
               {"distance", outcome.distance ? Json(*outcome.distance) : Json()}};
    for (const Comparison& one : outcome.comparisons) {
      Json policy = comparison_json(one, control.tables);
      policy["to_fixed_2"] = one.to_second;
      policy["calibrated"] = one.calibrated;
      entry["policies"].push_back(std::move(policy));
    }
    entry["rows"] = rows_json(outcome.results);
    json["conditions"].push_back(std::move(entry));
  }
  return print_json(json, 1) + "\n";
}

}  // namespace plumbline::paper
