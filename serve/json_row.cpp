#include "serve/json_row.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace plumbline::serve {

void append_json(std::string_view text, std::string& json) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(json), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  json += '"';
}

void append_json(double number, std::string& json) {
  fmt::format_to(std::back_inserter(json), "{}", number);
}

void JsonRow::clear() {
  texts_.clear();
  parts_.clear();
}

void JsonRow::add(std::string_view name, Kind kind, double number, std::string_view text) {
  parts_.push_back(
      {texts_.size(), name.size(), texts_.size() + name.size(), text.size(), kind, number});
  texts_ += name;
  texts_ += text;
}

JsonRow::Field JsonRow::field(std::size_t i) const {
  const Part& part = parts_[i];
  const std::string_view texts = texts_;
  return {texts.substr(part.name, part.name_size), part.kind, part.number,
          texts.substr(part.text, part.text_size)};
}

bool JsonRow::repeats_a_name() const {
  constexpr std::size_t kFew = 16;
  if (size() <= kFew) {
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (field(i).name == field(j).name) return true;
      }
    }
    return false;
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < size(); ++i) names.push_back(field(i).name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

std::string JsonRow::to_json() const {
  std::string json = "{";
  for (std::size_t i = 0; i < size(); ++i) {
    const Field one = field(i);
    if (i > 0) json += ',';
    append_json(one.name, json);
    json += ':';
    switch (one.kind) {
      case Kind::number:
        json += one.text;
        break;
      case Kind::text:
        append_json(one.text, json);
        break;
      case Kind::truth:
        json += one.number != 0 ? "true" : "false";
        break;
      case Kind::null:
        json += "null";
        break;
    }
  }
  return json + "}";
}

}  // namespace plumbline::serve
