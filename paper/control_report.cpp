#include "paper/control_report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/page.h"
#include "report/text.h"

namespace plumbline::paper {
namespace {

using report::fixed_text;

// "NB10", or "λ=0.1" for an l1 table.
std::string short_name(const Table& table) {
  static const std::map<std::string, std::string> names{
      {"gaussian_nb", "NB"}, {"logistic", "LR"}, {"linear_svm", "SVM"}, {"perceptron", "PERC"}};
  if (table.l1_lambda) return fmt::format("λ={}", *table.l1_lambda);
  return names.at(table.learner) + std::to_string(table.size);
}

std::string comparisons_text(const std::vector<Comparison>& comparisons, bool ours) {
  std::string text;
  for (const Comparison& one : comparisons) {
    text += fmt::format("  {:<17}{:>6.3f} {:>5}{:>6}{:>6}", policy_title(one.policy), one.all,
                        one.below, one.clearly_below, one.clearly_above);
    text += ours ? fmt::format(" {:>6.3f} {:>4.0f} % ", one.to_second, 100 * one.calibrated)
                 : std::string(14, ' ');
    for (const double ratio : one.by_table) text += fmt::format("{:>9.3f}", ratio);
    text += "\n";
  }
  return text;
}

std::string heading_text(const Control::Outcome& outcome) {
  std::string text = fmt::format("\n{}: {}", outcome.condition->name, outcome.condition->text);
  if (outcome.distance) {
    text += fmt::format("; mean |ln(ours/published)| {:.3f}", *outcome.distance);
  }
  return text + "\n";
}

std::string runs_text(const Control& control) {
  if (control.runs == control.forest_runs) return fmt::format("{} runs", control.runs);
  return fmt::format("{} runs, {} of forest", control.runs, control.forest_runs);
}

report::Table comparisons_table(const std::vector<Comparison>& comparisons,
                                const std::vector<const Table*>& tables, bool ours) {
  report::Table out{.columns = {{"policy", report::Align::left},
                                {"all rows"},
                                {"below"},
                                {"clearly below"},
                                {"clearly above"}},
                    .compact = true};
  if (ours) {
    out.columns.push_back({"to N = 2"});
    out.columns.push_back({"calibrating"});
  }
  for (const Table* table : tables) out.columns.push_back({short_name(*table)});
  const auto ratio_cell = [](double ratio) {
    return report::Cell{fixed_text(ratio, 3), false, std::clamp(5 * (1 - ratio), -1.0, 1.0)};
  };
  for (const Comparison& one : comparisons) {
    std::vector<report::Cell> row{{policy_title(one.policy)}, ratio_cell(one.all)};
    for (const std::size_t count : {one.below, one.clearly_below, one.clearly_above}) {
      row.push_back({fmt::format("{} of {}", count, one.rows)});
    }
    if (ours) {
      row.push_back({fixed_text(one.to_second, 3)});
      row.push_back({fmt::format("{:.0f} %", 100 * one.calibrated)});
    }
    for (const double ratio : one.by_table) row.push_back(ratio_cell(ratio));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace

std::string control_text(const Control& control) {
  std::string text = fmt::format(
      "Log-loss/best fixed, geometric means over all rows and over those of each table; {}.\n"
      "below: rows below the best fixed policy; clearly below and above: by a 95 % interval of "
      "the\n"
      "paired runs (published: by intervals that do not overlap); to N=2: compared with N_c = "
      "2.\n\n"
      "{:<19}{:>6} {:>5}{:>6}{:>6} {:>6} {:>6} ",
      runs_text(control), "", "all", "below", "cl. b", "cl. a", "to N=2", "calib.");
  for (const Table* table : control.tables) text += fmt::format("{:>9}", short_name(*table));
  text += "\n\npublished\n" + comparisons_text(control.published, false);
  for (const Control::Outcome& outcome : control.outcomes) {
    text += heading_text(outcome) + comparisons_text(outcome.comparisons, true);
  }
  return text;
}

report::Chart control_chart(const Control& control) {
  report::Chart chart{.title = "Log-loss relative to the best fixed policy",
                      .x = {},
                      .y = {.title = "log-loss / best fixed", .log = true},
                      .width = 940,
                      .height = 420};
  chart.rules.push_back({.at = 1, .text = "best fixed policy", .vertical = false});
  std::vector<std::string> shown = winning_bandits();
  shown.insert(shown.end(), {"coin", "always_both"});
  for (const std::string& policy : shown) {
    chart.series.push_back({.name = policy_title(policy), .kind = report::Series::Kind::points});
  }
  const auto add = [&](const std::string& name, const std::vector<Comparison>& comparisons) {
    const auto at = static_cast<double>(chart.x.names.size());
    chart.x.names.push_back(name);
    std::ranges::replace(chart.x.names.back(), '_', ' ');
    for (std::size_t s = 0; s < shown.size(); ++s) {
      const auto found = std::ranges::find(comparisons, shown[s], &Comparison::policy);
      if (found == comparisons.end()) continue;
      const auto [low, high] = std::ranges::minmax(found->by_table);
      chart.series[s].x.push_back(at);
      chart.series[s].y.push_back(found->all);
      chart.series[s].low.push_back(low);
      chart.series[s].high.push_back(high);
    }
  };
  add("published", control.published);
  for (const Control::Outcome& outcome : control.outcomes) {
    add(outcome.condition->name, outcome.comparisons);
  }
  return chart;
}

std::string control_html(const Control& control, const RunMetadata& facts) {
  report::Page page("Do bandits beat the best fixed policy?",
                    "The control experiment for the main claim of Better Boosting with Bandits");
  page.text(fmt::format(
      "The paper's bandits have a lower log-loss than the best fixed policy, which calibrates on "
      "every N-th minibatch and is known only in hindsight. Each section below changes one thing "
      "and compares again, in the rows of the paper's tables ({}). The coin chooses its actions "
      "at random and learns nothing.",
      runs_text(control)));
  page.chart(control_chart(control),
             "Log-loss relative to the best fixed policy; below 1 is better. Points: geometric "
             "means over all rows; bars: from the lowest to the highest of the tables.");
  page.text(
      "Below: rows with a lower mean. Clearly: by the 95 % interval of the paired runs; in "
      "published rows, by intervals that do not overlap. To N = 2: compared with calibrating on "
      "every second minibatch, which needs no hindsight. Calibrating: the share of minibatches.");
  page.section("Published");
  page.table(comparisons_table(control.published, control.tables, false));
  for (const Control::Outcome& outcome : control.outcomes) {
    page.section(outcome.condition->name);
    std::string text = fmt::format("Condition: {}.", outcome.condition->text);
    if (outcome.distance) {
      text += fmt::format(" Mean |ln(ours/published)|: {:.3f}.", *outcome.distance);
    }
    page.text(text);
    page.table(comparisons_table(outcome.comparisons, control.tables, true));
  }
  add_origin(page, facts);
  return page.html();
}

}  // namespace plumbline::paper
