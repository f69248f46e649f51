// How the columns of a file fall onto those of an encoder.

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "plumbline/base/error.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"

namespace plumbline {

namespace {

// The place of each name; of a name that stands twice, the first.
std::unordered_map<std::string_view, std::size_t> places_of(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t j = 0; j < names.size(); ++j) places.emplace(names[j], j);
  return places;
}

}  // namespace

std::vector<std::size_t> find_columns(const std::vector<std::string>& references,
                                      const std::vector<std::string>& names) {
  if (references.empty()) return {};
  const auto places = places_of(names);
  const auto size = static_cast<double>(names.size());
  std::vector<std::size_t> found;
  for (const std::string& reference : references) {
    const auto place = places.find(reference);
    const std::optional<double> number = parse_number(reference);
    if (place != places.end()) {
      found.push_back(place->second);
    } else if (number && *number >= 1 && *number <= size) {
      found.push_back(static_cast<std::size_t>(*number) - 1);
    } else if (number && *number <= -1 && *number >= -size) {
      found.push_back(static_cast<std::size_t>(size + *number));
    } else {
      refuse_name("column", reference, names);
    }
  }
  return found;
}

std::size_t find_column(const std::string& reference, const std::vector<std::string>& names) {
  return find_columns({reference}, names).front();
}

Encoder::Binding Encoder::bind(const Stream& reader, bool needs_label,
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
  for (const std::size_t j : find_columns(ignore, names)) ignored[j] = 1;
  const std::vector<std::string> field_names = column_names();
  const auto fields = places_of(field_names);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto place = fields.find(columns[j].name);
    if (ignored[j] != 0) continue;
    if (place == fields.end()) {
      complain(j + 1, fmt::format("the column '{0}' is not one that the model knows; leave it out "
                                  "with --ignore {0}",
                                  columns[j].name));
    }
    const std::size_t f = place->second;
    const Field& field = fields_[f];
    if (field.role == Role::ignored) continue;
    if (found[f] != 0) {
      complain(j + 1, fmt::format("two columns are named '{}'", columns[j].name));
    }
    found[f] = 1;
    if (columns[j].kind == ColumnKind::categorical && field.role == Role::numeric) {
      complain(j + 1,
               fmt::format("the column '{}' is declared as a category, but was a number when "
                           "the model was made",
                           field.name));
    }
    if (columns[j].kind == ColumnKind::numeric && field.role == Role::categorical) {
      complain(j + 1,
               fmt::format("the column '{}' is declared as a number, but was a category when "
                           "the model was made",
                           field.name));
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
