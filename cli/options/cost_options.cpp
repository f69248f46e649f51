#include "cli/options/cost_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/value.h"
#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/row_costs.h"
#include "plumbline/error.h"
#include "plumbline/options.h"

namespace plumbline::cli {
namespace {

constexpr const char* kCosts = "Costs";

}  // namespace

bool CostOptions::any() const {
  return false_positive || false_negative || !false_positive_column.empty() ||
         !false_negative_column.empty();
}

std::optional<RowCosts::Options> CostOptions::of_rows() const {
  if (!any()) return std::nullopt;
  RowCosts::Options rows{.false_positive_column = false_positive_column,
                         .false_negative_column = false_negative_column,
                         .negatives_kept = negatives_kept};
  if (false_positive) rows.fixed.false_positive = *false_positive;
  if (false_negative) rows.fixed.false_negative = *false_negative;
  return rows;
}

void add_cost_options(Verb& verb, CostOptions& options, bool learns) {
  const char* const no_feature = learns ? "; not a feature, unless --numeric names it too" : "";
  const auto add_pair = [&](const std::string& name, std::optional<double>& cost,
                            std::string& column, const char* what) {
    add_options(
        verb, kCosts,
        {{.names = {name},
          .metavar = "COST",
          .help = fmt::format("Cost of {}; default: 1", what),
          .excludes = {name + "-column"},
          .value = number(cost, {.low = 0, .high = kMaxCost, .low_open = true})},
         {.names = {name + "-column"},
          .metavar = "COLUMN",
          .help = fmt::format("Column with the cost of {} for each row{}", what, no_feature),
          .excludes = {name},
          .value = text(column)}});
  };
  add_pair("--cost-fp", options.false_positive, options.false_positive_column,
           "a false positive (a false alarm)");
  add_pair("--cost-fn", options.false_negative, options.false_negative_column,
           "a false negative (a miss)");
  add_options(
      verb, kCosts,
      {{.names = {"--negatives-kept"},
        .metavar = "SHARE",
        .help = "Share of the negatives that the labelled stream has kept, e.g. 0.1 if only "
                "one in ten was kept; probabilities and costs are then those of the whole "
                "population",
        .value = number(options.negatives_kept, {.low = 0, .high = 1, .low_open = true})}});
}

ColumnChoices without_costs(const ColumnChoices& choices, const CostOptions& options,
                            const Stream& reader) {
  if (!options.any()) return choices;
  const std::vector<std::string> names = reader.column_names();
  const auto is_among = [&](const std::string& column, const std::vector<std::string>& list) {
    return std::ranges::any_of(list, [&](const std::string& reference) {
      return find_column(reference, names) == find_column(column, names);
    });
  };
  ColumnChoices result = choices;
  const RowCosts costs(*options.of_rows(), reader);  // throws if a column does not exist
  for (const std::string& column : costs.columns()) {
    const std::string label = choices.label.empty() ? names.back() : choices.label;
    if (is_among(column, {label})) {
      throw Error(ErrorKind::config,
                  fmt::format("the label '{}' cannot be a cost; choose another column", column));
    }
    if (is_among(column, choices.numeric) || is_among(column, choices.categorical)) continue;
    result.ignore.push_back(column);
  }
  return result;
}

void check_two_classes(const CostOptions& options, const Schema& schema) {
  if (schema.classes.empty() || (!options.any() && options.negatives_kept == 1)) return;
  throw Error(ErrorKind::config,
              fmt::format("the label '{}' has several classes, but costs and --negatives-kept need "
                          "two; --positive VALUE makes it one class against all others",
                          schema.label));
}

}  // namespace plumbline::cli
