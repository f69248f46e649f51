#include "plumbline/encoding/column_plan.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/refuse.h"
#include "plumbline/error.h"

namespace plumbline::inline v0 {

bool ColumnPlan::has_role(ColumnRole role) const {
  return std::ranges::any_of(columns, [&](const auto& column) { return column.role == role; });
}

std::vector<std::string> ColumnPlan::names() const {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const PlannedColumn& column : columns) names.push_back(column.name);
  return names;
}

Binding ColumnPlan::bind(const Stream& stream, bool needs_label,
                         const std::vector<std::string>& ignore) const {
  if (stream.columns().empty() != named) {
    if (named) {
      refuse(stream, 0,
             "the stream has columns, but the model was made from rows that name their features",
             {{Setting::format, "libsvm"}, {Setting::format, "vw"}});
    }
    refuse(stream, 0,
           "the rows name their features, but the model was made from rows with columns");
  }
  if (named) return {};
  return stream.has_names() ? bind_by_name(stream, needs_label, ignore)
                            : bind_by_position(stream, needs_label);
}

void ColumnPlan::add(Binding& binding, std::size_t column, std::size_t planned) const {
  const ColumnRole role = columns[planned].role;
  if (role == ColumnRole::label) binding.label = column;
  if (role == ColumnRole::label || role == ColumnRole::ignored) return;
  if (role == ColumnRole::score) {
    const std::size_t place = columns[planned].feature;
    if (binding.scores.size() <= place) binding.scores.resize(place + 1);
    binding.scores[place] = static_cast<std::uint32_t>(column);
    return;
  }
  const Binding::Feature bound{static_cast<std::uint32_t>(column),
                               static_cast<std::uint32_t>(planned)};
  binding.features.push_back(bound);
  if (role == ColumnRole::numeric) {
    const auto feature = static_cast<std::uint32_t>(columns[planned].feature);
    binding.numbers.push_back({bound.column, feature});
  } else {
    binding.others.push_back(bound);
  }
}

// The label may be left out.
Binding ColumnPlan::bind_by_position(const Stream& stream, bool needs_label) const {
  const std::size_t given = stream.columns().size();
  const bool labelled = given == columns.size();
  const bool apart = !stream.classes().empty();  // the label comes with each row
  if (!labelled && ((needs_label && !apart) || given + 1 != columns.size())) {
    refuse(stream, 0,
           fmt::format("the rows have {} fields, but the model was made for {}{}", given,
                       columns.size(), needs_label ? "" : " (or one less, without label)"));
  }
  Binding binding;
  std::size_t column = 0;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (labelled || columns[f].role != ColumnRole::label) add(binding, column++, f);
  }
  return binding;
}

Binding ColumnPlan::bind_by_name(const Stream& stream, bool needs_label,
                                 const std::vector<std::string>& ignore) const {
  const std::vector<std::string> given = stream.column_names();
  std::vector<char> ignored(given.size()), found(columns.size());
  for (const std::size_t j : find_columns(ignore, given)) ignored[j] = 1;
  std::unordered_map<std::string_view, std::size_t> planned;
  for (std::size_t f = 0; f < columns.size(); ++f) planned.emplace(columns[f].name, f);
  Binding binding;
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (ignored[j] != 0) continue;
    const auto place = planned.find(given[j]);
    if (place == planned.end()) {
      refuse(stream, j + 1,
             fmt::format("the column '{}' is not one that the model knows", given[j]),
             {{Setting::ignore, given[j]}});
    }
    const std::size_t f = place->second;
    if (columns[f].role == ColumnRole::ignored) continue;
    if (found[f] != 0) refuse(stream, j + 1, fmt::format("two columns are named '{}'", given[j]));
    found[f] = 1;
    check_kind(stream, j, columns[f]);
    add(binding, j, f);
  }
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const ColumnRole role = columns[f].role;
    const bool label = role == ColumnRole::label;
    const bool needed =
        label ? needs_label && stream.classes().empty() : role != ColumnRole::ignored;
    if (found[f] != 0 || !needed) continue;
    refuse(stream, 0,
           fmt::format("there is no column '{}', which the model {}", columns[f].name,
                       label ? "learns to predict" : "needs"));
  }
  return binding;
}

void ColumnPlan::check_kind(const Stream& stream, std::size_t column,
                            const PlannedColumn& planned) const {
  const ColumnKind kind = stream.columns()[column].kind;
  if (kind == ColumnKind::categorical && planned.role == ColumnRole::numeric) {
    refuse(stream, column + 1,
           fmt::format("the column '{}' is declared as a category, but was a number when the model "
                       "was made",
                       planned.name));
  }
  if (kind == ColumnKind::numeric && planned.role == ColumnRole::categorical) {
    refuse(stream, column + 1,
           fmt::format("the column '{}' is declared as a number, but was a category when the model "
                       "was made",
                       planned.name));
  }
}

}  // namespace plumbline::inline v0
