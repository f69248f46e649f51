#include "kafka/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"
#include "plumbline/error.h"
#include "plumbline/io/text.h"
#include "plumbline/json/json.h"

namespace plumbline::kafka {
namespace {

[[noreturn]] void refuse(const std::string& reason) { throw Error(ErrorKind::data, reason); }

void check_utf8(std::string_view text, const char* what) {
  if (!is_utf8(text)) refuse(fmt::format("{} is not UTF-8", what));
}

void read_json(const std::string& text, Fields& fields) {
  const Json json = parse_json(text);
  if (json.is_discarded()) refuse("the value is not JSON");
  if (!json.is_object()) refuse("the value is not a JSON object");
  for (const auto& [name, value] : json.items()) {
    if (value.is_null()) continue;
    if (value.is_structured()) {
      refuse(fmt::format("the field {} is {}; a field is a number, a text, a boolean or null",
                         in_quotes(name), value.is_array() ? "a list" : "an object"));
    }
    fields.emplace_back(name, value.is_string() ? value.get<std::string>() : print_json(value));
  }
}

// Fields may be in double quotes, with doubled quotes inside.
std::vector<std::string> split(std::string_view line, char delimiter) {
  std::vector<std::string> texts;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  std::size_t at = 0;
  while (true) {
    std::string& text = texts.emplace_back();
    if (at < line.size() && line[at] == '"') {
      bool closed = false;
      for (++at; at < line.size() && !closed; ++at) {
        if (line[at] != '"') {
          text += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
          text += line[++at];
        } else {
          closed = true;
        }
      }
      if (!closed) refuse("a quoted field is not closed");
      if (at < line.size() && line[at] != delimiter) refuse("text follows a quoted field");
    } else {
      const std::size_t end = std::min(line.find(delimiter, at), line.size());
      text = line.substr(at, end - at);
      at = end;
    }
    if (at >= line.size()) return texts;
    ++at;  // the delimiter
  }
}

void read_csv(const std::string& text, const RowOptions& options, Fields& fields) {
  check_utf8(text, "the value");
  std::vector<std::string> texts = split(text, options.delimiter);
  if (!options.names.empty() && texts.size() != options.names.size()) {
    refuse(fmt::format("the value has {} fields, but there are {} names", texts.size(),
                       options.names.size()));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    fields.emplace_back(options.names.empty() ? fmt::format("x{}", i + 1) : options.names[i],
                        std::move(texts[i]));
  }
}

}  // namespace

Fields fields_of(const Message& message, const RowOptions& options) {
  if (!message.value) refuse("the message has no value (it is a tombstone)");
  Fields fields;
  const std::string& value = *message.value;
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) refuse("the value is empty");
  const bool json = options.format == "json" ||
                    (options.format == "auto" && (value[first] == '{' || value[first] == '['));
  json ? read_json(value, fields) : read_csv(value, options, fields);
  std::erase_if(fields, [&](const auto& field) {
    return std::ranges::find(options.ignore, field.first) != options.ignore.end();
  });
  const auto add = [&](const std::string& name, const std::string& text, const char* what) {
    check_utf8(text, what);
    if (std::ranges::find(fields, name, &Fields::value_type::first) != fields.end()) {
      refuse(fmt::format("the value has a field {} already, which is the name of {}",
                         in_quotes(name), what));
    }
    fields.emplace_back(name, text);
  };
  if (!options.key_column.empty() && message.key) add(options.key_column, *message.key, "the key");
  for (const std::string& name : options.headers) {
    const auto header = std::ranges::find(message.headers, name, &Fields::value_type::first);
    if (header != message.headers.end()) add(name, header->second, "a header");
  }
  return fields;
}

std::optional<std::string> take_field(Fields& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Fields::value_type::first);
  if (found == fields.end()) return std::nullopt;
  std::string text = std::move(found->second);
  fields.erase(found);
  return text;
}

MessageRows::MessageRows(const Encoder& encoder) : Stream("") {
  for (const PlannedColumn& column : encoder.plan().columns) {
    if (column.role == ColumnRole::label) continue;
    places_.emplace(column.name, static_cast<std::uint32_t>(columns_.size()));
    columns_.push_back({.name = column.name});
  }
}

void MessageRows::show(const Fields& fields, std::optional<std::string_view> label) {
  texts_.assign(columns_.size(), std::string_view());
  for (const auto& [name, text] : fields) {
    const auto place = places_.find(name);
    if (place == places_.end()) {
      refuse(
          fmt::format("the model has no column {}; --ignore leaves a field out", in_quotes(name)));
    }
    texts_[place->second] = text;
  }
  row_ = {.fields = texts_, .label = label};
}

SampleRows::SampleRows(std::string name, const std::vector<std::pair<Fields, std::string>>& rows,
                       const std::string& label)
    : Stream(std::move(name)) {
  TextMap<std::size_t> places;
  for (const auto& [fields, unused] : rows) {
    for (const auto& [column, text] : fields) {
      if (places.emplace(column, columns_.size()).second) columns_.push_back({.name = column});
    }
  }
  columns_.push_back({.name = label});
  for (const auto& [fields, text] : rows) {
    std::vector<std::string>& row = rows_.emplace_back(columns_.size());
    for (const auto& [column, field] : fields) row[places.find(column)->second] = field;
    row.back() = text;
  }
}

bool SampleRows::next() {
  if (next_ == rows_.size()) return false;
  texts_.assign(rows_[next_].begin(), rows_[next_].end());
  row_ = {.fields = texts_};
  line_ = ++next_;
  return true;
}

}  // namespace plumbline::kafka
