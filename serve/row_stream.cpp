#include "serve/row_stream.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::serve {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RowStream::RowStream() : Stream("") {}

RowStream::RowStream(const Encoder& encoder) : Stream("") {
  if (encoder.plan().named) return;
  for (const PlannedColumn& column : encoder.plan().columns) {
    if (column.role == ColumnRole::label) continue;
    places_.emplace(column.name, static_cast<std::uint32_t>(columns_.size()));
    columns_.push_back({.name = column.name});
    is_numeric_.push_back(column.role == ColumnRole::numeric ? 1 : 0);
  }
}

void RowStream::show(const JsonRow& row, std::optional<std::string_view> label) {
  if (columns_.empty()) {
    show_names(row);
  } else {
    show_columns(row);
  }
  row_ = {.fields = fields_, .names = names_, .label = label, .numbers = numbers_};
}

void RowStream::show_columns(const JsonRow& row) {
  fields_.assign(columns_.size(), std::string_view());
  numbers_.assign(columns_.size(), kNone);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const JsonRow::Field field = row.field(i);
    const auto place = places_.find(field.name);
    if (place == places_.end()) {
      throw Error(ErrorKind::data,
                  fmt::format("the model has no column {}", in_quotes(field.name)));
    }
    const std::size_t j = place->second;
    switch (field.kind) {
      case JsonRow::Kind::number:
        fields_[j] = field.text;
        numbers_[j] = field.number;
        break;
      case JsonRow::Kind::text:
        fields_[j] = field.text;
        if (!parse_number(field.text, numbers_[j])) numbers_[j] = kNone;
        break;
      case JsonRow::Kind::truth:
        fields_[j] = field.number != 0 ? "true" : "false";
        if (is_numeric_[j] != 0) numbers_[j] = field.number;
        break;
      case JsonRow::Kind::null:
        break;
    }
  }
}

void RowStream::show_names(const JsonRow& row) {
  fields_.clear();
  names_.clear();
  numbers_.clear();
  made_names_.clear();
  made_.clear();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const JsonRow::Field field = row.field(i);
    if (field.kind == JsonRow::Kind::null) continue;
    fields_.push_back(field.text);
    names_.push_back(field.name);
    numbers_.push_back(field.kind == JsonRow::Kind::text ? 1 : field.number);
    if (field.kind != JsonRow::Kind::text) continue;
    made_.emplace_back(names_.size() - 1, made_names_.size());
    made_names_.append(field.name).append("=").append(field.text);
  }
  // Views into the text, once it does not move any more.
  for (std::size_t k = 0; k < made_.size(); ++k) {
    const auto [place, begin] = made_[k];
    const std::size_t end = k + 1 < made_.size() ? made_[k + 1].second : made_names_.size();
    names_[place] = std::string_view(made_names_).substr(begin, end - begin);
  }
}

}  // namespace plumbline::serve
