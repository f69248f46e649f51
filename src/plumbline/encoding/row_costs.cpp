#include "plumbline/encoding/row_costs.h"

#include <fmt/format.h>

#include "plumbline/base/error.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline {
namespace {

double cost_in(const Stream& reader, std::size_t column) {
  const std::string_view text = reader.row().fields[column];
  double cost = 0;
  if (reader.row().number(column, cost) ||
      parse_number_with_commas(text, reader.decimal_comma(), cost)) {
    if (cost >= 0 && cost <= kMaxCost) return cost;
  }
  const std::string& name = reader.columns()[column].name;
  const std::string reason = is_missing(text)
                                 ? fmt::format("the cost in '{}' is missing", name)
                                 : fmt::format("{} in '{}' is no cost", in_quotes(text), name);
  throw Error(ErrorKind::data,
              fmt::format("{}; a cost is a number from 0 to {:g}", reason, kMaxCost),
              {.source = reader.name(), .line = reader.line(), .column = column + 1});
}

}  // namespace

RowCosts::RowCosts(const Options& options, const Stream& reader)
    : options_(options),
      false_positive_(place_of(options.false_positive_column, reader)),
      false_negative_(place_of(options.false_negative_column, reader)) {}

std::optional<std::size_t> RowCosts::place_of(const std::string& column, const Stream& reader) {
  if (column.empty()) return std::nullopt;
  if (reader.columns().empty()) {
    throw Error(ErrorKind::config,
                fmt::format("'{}' cannot hold costs: rows of this format name their features and "
                            "have no columns; give the costs as numbers",
                            column),
                {.source = reader.name()});
  }
  std::vector<std::string> names;
  for (const Column& of_file : reader.columns()) names.push_back(of_file.name);
  const std::size_t place = find_column(column, names);
  names_.push_back(names[place]);
  return place;
}

Costs RowCosts::read(const Stream& reader) const {
  Costs costs = options_.fixed;
  if (false_positive_) costs.false_positive = cost_in(reader, *false_positive_);
  if (false_negative_) costs.false_negative = cost_in(reader, *false_negative_);
  costs.false_positive /= options_.negatives_kept;
  return costs;
}

}  // namespace plumbline
