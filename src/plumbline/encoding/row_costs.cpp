#include "plumbline/encoding/row_costs.h"

#include <fmt/format.h>

#include "plumbline/encoding/column_choices.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/row_number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

double cost_in(const Stream& stream, std::size_t column) {
  const std::string_view text = stream.row().text(column);
  double cost = 0;
  if (plumbline::number_in(stream.row(), column, cost) ||
      parse_number_with_commas(text, stream.decimal_comma(), cost)) {
    if (cost >= 0 && cost <= kMaxCost) return cost;
  }
  const std::string& name = stream.columns()[column].name;
  const std::string reason = is_missing(text)
                                 ? fmt::format("the cost in '{}' is missing", name)
                                 : fmt::format("{} in '{}' is no cost", in_quotes(text), name);
  throw Error(ErrorKind::data,
              fmt::format("{}; a cost is a number from 0 to {:g}", reason, kMaxCost),
              {.source = stream.name(), .line = stream.line(), .column = column + 1});
}

}  // namespace

RowCosts::RowCosts(const Options& options, const Stream& stream)
    : options_(options),
      false_positive_(index_of(options.false_positive_column, stream)),
      false_negative_(index_of(options.false_negative_column, stream)) {}

std::optional<std::size_t> RowCosts::index_of(const std::string& column, const Stream& stream) {
  if (column.empty()) return std::nullopt;
  if (stream.columns().empty()) {
    throw Error(ErrorKind::config,
                fmt::format("'{}' cannot hold costs: rows of this format name their features and "
                            "have no columns; give the costs as numbers",
                            column),
                {.source = stream.name()});
  }
  const std::vector<std::string> names = stream.column_names();
  const std::size_t index = find_column(column, names);
  names_.push_back(names[index]);
  return index;
}

Costs RowCosts::read(const Stream& stream) const {
  Costs costs = options_.fixed;
  if (false_positive_) costs.false_positive = cost_in(stream, *false_positive_);
  if (false_negative_) costs.false_negative = cost_in(stream, *false_negative_);
  costs.false_positive /= options_.negatives_kept;
  return costs;
}

}  // namespace plumbline::inline v0
