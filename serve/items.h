// The items of a request: {"id"?, "row"?, "label"?}, alone, in {"items": […]}, or one per line.
//
// Parsing is strict: no key twice, no unknown key, no nesting in a row. Nothing recurses, so that deep nesting cannot
// exhaust the stack.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/json_row.h"

namespace plumbline::serve {

struct Item {
  std::optional<std::string> id{};
  std::optional<JsonRow> row{};
  std::optional<std::string> label{};
  bool label_is_truth = false;  // "1" or "0", from true or false
};

inline constexpr std::size_t kLongestId = 256;

struct ParsedItems {
  std::vector<Item> items{};
  bool several = false;  // {"items": […]}
  // The first mistake; empty if there is none. A wrong item (422) is not a malformed text (400).
  std::string mistake{};
  bool malformed = false;
};

// `with_label`: items may have a label.
ParsedItems parse_items(std::string_view json, bool with_label);
// A row as JsonRow::to_json writes it; nothing if the text is none.
std::optional<JsonRow> parse_row(std::string_view json);

}  // namespace plumbline::serve
