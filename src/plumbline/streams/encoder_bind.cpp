// How the columns of a file fall onto those of an encoder.

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/core/error.h"
#include "plumbline/streams/encoder.h"
#include "plumbline/streams/number.h"

namespace plumbline {

std::size_t find_column(const std::string& reference, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), reference);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::optional<double> number = parse_number(reference);
  const auto size = static_cast<double>(names.size());
  if (number && *number >= 1 && *number <= size) return static_cast<std::size_t>(*number) - 1;
  if (number && *number <= -1 && *number >= -size) return static_cast<std::size_t>(size + *number);
  refuse_name("column", reference, names);
}

Encoder::Binding Encoder::bind(const Reader& reader, bool needs_label,
                               const std::vector<std::string>& ignore) const {
  const std::vector<Column>& columns = reader.columns();
  const auto complain = [&](std::size_t column, const std::string& reason) {
    throw Error(ErrorKind::data, reason,
                {.source = reader.name(), .line = reader.line(), .column = column});
  };
  if (columns.empty() != open_) {
    complain(0, open_ ? "the file has columns, but the model was made from rows that name their "
                        "features; if it is such a file, say --format libsvm or --format vw"
                      : "the rows name their features, but the model was made from a file with "
                        "columns (CSV or ARFF)");
  }
  if (open_) return {};

  const auto field_named = [&](const std::string& name) {
    return std::find_if(fields_.begin(), fields_.end(),
                        [&](const Field& field) { return field.name == name; });
  };
  Binding binding;
  const auto add = [&](std::size_t column, std::size_t f) {
    const Field& field = fields_[f];
    if (field.role == Role::label) binding.label = column;
    if (field.role == Role::label || field.role == Role::ignored) return;
    binding.features.push_back({column, f});
    if (field.role == Role::categorical) {
      binding.categories.push_back({column, f});
    } else {
      binding.numbers.push_back(
          {static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(field.feature)});
    }
  };
  if (!reader.has_names()) {
    // By place; the label may be left out.
    const bool labelled = columns.size() == fields_.size();
    if (!labelled && (needs_label || columns.size() + 1 != fields_.size())) {
      complain(0, fmt::format("the rows have {} fields, but the model was made for {}{}",
                              columns.size(), fields_.size(),
                              needs_label ? ""
                                          : " (or one less, "
                                            "without label)"));
    }
    std::size_t column = 0;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (labelled || fields_[f].role != Role::label) add(column++, f);
    }
    return binding;
  }
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  std::vector<char> ignored(columns.size()), found(fields_.size());
  for (const std::string& reference : ignore) ignored[find_column(reference, names)] = 1;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto field = field_named(columns[j].name);
    const bool unwanted = ignored[j] != 0;
    if (field == fields_.end() && !unwanted) {
      complain(j + 1, fmt::format("the column '{0}' is not one that the model knows; leave it out "
                                  "with --ignore {0}",
                                  columns[j].name));
    }
    if (unwanted || field->role == Role::ignored) continue;
    const auto f = static_cast<std::size_t>(field - fields_.begin());
    if (found[f] != 0) {
      complain(j + 1, fmt::format("two columns are named '{}'", columns[j].name));
    }
    found[f] = 1;
    if (columns[j].kind == ColumnKind::categorical && field->role == Role::numeric) {
      complain(j + 1,
               fmt::format("the column '{}' is declared as a category, but was a number when "
                           "the model was made",
                           field->name));
    }
    if (columns[j].kind == ColumnKind::numeric && field->role == Role::categorical) {
      complain(j + 1,
               fmt::format("the column '{}' is declared as a number, but was a category when "
                           "the model was made",
                           field->name));
    }
    add(j, f);
  }
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Role role = fields_[f].role;
    if (found[f] == 0 && role != Role::ignored && (role != Role::label || needs_label)) {
      complain(0, fmt::format("there is no column '{}', which the model {}", fields_[f].name,
                              role == Role::label ? "learns to predict" : "needs"));
    }
  }
  return binding;
}

std::vector<std::string> Encoder::column_names() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.push_back(field.name);
  return names;
}

}  // namespace plumbline
