#include "cli/output/cost_report.h"

#include <fmt/format.h>

#include "cli/output/rate.h"
#include "report/text.h"

namespace plumbline::cli {

std::string cost_summary(const CostRecorder& costs) {
  const Confusion& decisions = costs.decisions();
  std::string text = fmt::format(
      "  cost         {:.4f}   (always no: {:.4f}; always yes: {:.4f}; deciding at 1/2: {:.4f})\n",
      costs.cost(), costs.cost_of_always_no(), costs.cost_of_always_yes(), costs.cost_at_half());
  if (const auto savings = costs.savings()) {
    const bool no = costs.cost_of_always_no() <= costs.cost_of_always_yes();
    text += fmt::format("  savings      {:.4f}   (of the cost of always saying {})\n", *savings,
                        no ? "no" : "yes");
  }
  text += fmt::format(
      "  decisions    recall {}, precision {}, F1 {}, balanced accuracy {}\n"
      "  AUC          {}\n",
      rate_text(decisions.recall()), rate_text(decisions.precision()), rate_text(decisions.f1()),
      rate_text(decisions.balanced_accuracy()), rate_text(costs.auc()));
  return text;
}

Json cost_json(const CostRecorder& costs) {
  const Confusion& decisions = costs.decisions();
  return {{"cost", costs.cost()},
          {"always_no", costs.cost_of_always_no()},
          {"always_yes", costs.cost_of_always_yes()},
          {"at_half", costs.cost_at_half()},
          {"savings", rate_json(costs.savings())},
          {"true_positives", decisions.true_positives},
          {"false_positives", decisions.false_positives},
          {"true_negatives", decisions.true_negatives},
          {"false_negatives", decisions.false_negatives},
          {"recall", rate_json(decisions.recall())},
          {"precision", rate_json(decisions.precision())},
          {"f1", rate_json(decisions.f1())},
          {"balanced_accuracy", rate_json(decisions.balanced_accuracy())},
          {"auc", rate_json(costs.auc())}};
}

report::Table cost_table(const CostRecorder& costs) {
  report::Table table{.columns = {{"decisions", report::Align::left}, {"mean cost"}}};
  const auto add = [&](const char* what, double cost, bool ours) {
    table.rows.push_back({{what, ours}, {report::fixed_text(cost, 4), ours}});
  };
  add("lowest expected cost", costs.cost(), true);
  add("always no", costs.cost_of_always_no(), false);
  add("always yes", costs.cost_of_always_yes(), false);
  add("at a probability of 1/2", costs.cost_at_half(), false);
  return table;
}

report::Table decisions_table(const CostRecorder& costs) {
  const Confusion& decisions = costs.decisions();
  return {.columns = {{"", report::Align::left}, {"decided yes"}, {"decided no"}},
          .rows = {{{"positive"},
                    {report::number_text(decisions.true_positives)},
                    {report::number_text(decisions.false_negatives)}},
                   {{"negative"},
                    {report::number_text(decisions.false_positives)},
                    {report::number_text(decisions.true_negatives)}}}};
}

}  // namespace plumbline::cli
