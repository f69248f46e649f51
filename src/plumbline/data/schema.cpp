#include "plumbline/data/schema.h"

#include <cstdint>
#include <unordered_set>

#include <fmt/format.h>

#include "plumbline/base/error.h"

namespace plumbline {

// Well-formed UTF-8 by table 3-7 of the Unicode standard: no overlong forms, no surrogates.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
    };
    const int first = byte(i);
    std::size_t length = 1;
    int low = 0x80, high = 0xBF;  // of the second byte
    if (first >= 0xC2 && first <= 0xDF) {
      length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
      length = 3;
      if (first == 0xE0) low = 0xA0;
      if (first == 0xED) high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
      length = 4;
      if (first == 0xF0) low = 0x90;
      if (first == 0xF4) high = 0x8F;
    } else if (first >= 0x80) {
      return false;
    }
    if (length > 1 && (byte(i + 1) < low || byte(i + 1) > high)) return false;
    for (std::size_t k = 2; k < length; ++k) {
      if (byte(i + k) < 0x80 || byte(i + k) > 0xBF) return false;
    }
    i += length;
  }
  return true;
}

Schema Schema::numeric(std::size_t count) {
  Schema schema;
  schema.features.reserve(count);
  for (std::size_t j = 1; j <= count; ++j) schema.features.push_back("x" + std::to_string(j));
  return schema;
}

namespace {

void check_classes(const std::vector<std::string>& classes) {
  if (classes.size() > kMostClasses) {
    throw Error(ErrorKind::config, fmt::format("there are {} classes, but {} are the most",
                                               classes.size(), kMostClasses));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : classes) {
    if (!is_utf8(name)) {
      throw Error(ErrorKind::config, "the name of a class is not valid UTF-8; convert the file");
    }
    if (!seen.insert(name).second) {
      throw Error(ErrorKind::config, fmt::format("two classes are named '{}'", name));
    }
  }
}

}  // namespace

void check(const Schema& schema) {
  if (schema.size() == 0) throw Error(ErrorKind::config, "a model needs at least one feature");
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < schema.size(); ++j) {
    const std::string& name = schema.features[j];
    if (!is_utf8(name)) {
      throw Error(
          ErrorKind::config,
          fmt::format("the name of feature {} is not valid UTF-8; convert the file", j + 1));
    }
    if (!seen.insert(name).second) {
      throw Error(ErrorKind::config, fmt::format("two features are named '{}'", name));
    }
  }
  for (const std::string* text : {&schema.label, &schema.negative, &schema.positive}) {
    if (!is_utf8(*text)) {
      throw Error(ErrorKind::config,
                  "the label's name or one of its values is not valid UTF-8; convert the file");
    }
  }
  check_classes(schema.classes);
}

}  // namespace plumbline
