#include "serve/items.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plumbline/base/utf8.h"

namespace plumbline::serve {
namespace {

// Receives the parts of a text as nlohmann's parser finds them. Returning false ends the parsing.
class ItemBuilder {
 public:
  ItemBuilder(ParsedItems& parsed, bool with_label) : parsed_(parsed), with_label_(with_label) {}

  // ---- Values

  bool null() {
    if (place_ == Place::row) return add_field(JsonRow::Kind::null, 0, {});
    return refuse_value("null");
  }
  bool boolean(bool value) {
    if (place_ == Place::row) return add_field(JsonRow::Kind::truth, value ? 1 : 0, {});
    if (place_ != Place::item || key_ != "label") return refuse_value("a boolean");
    item().label = value ? "1" : "0";
    item().label_is_truth = true;
    return true;
  }
  bool number_integer(std::int64_t value) {
    return number(static_cast<double>(value), fmt::format("{}", value));
  }
  bool number_unsigned(std::uint64_t value) {
    return number(static_cast<double>(value), fmt::format("{}", value));
  }
  bool number_float(double value, const std::string& text) { return number(value, text); }
  bool string(const std::string& value) {
    if (place_ == Place::row) return add_field(JsonRow::Kind::text, 0, value);
    if (place_ == Place::item && key_ == "label") {
      item().label = value;
      return true;
    }
    if (place_ != Place::item || key_ != "id") return refuse_value("a string");
    if (value.empty() || value.size() > kLongestId) {
      return refuse(fmt::format("an id has 1 to {} bytes", kLongestId));
    }
    if (value.find('\0') != std::string::npos) return refuse("an id cannot hold a NUL");
    item().id = value;
    return true;
  }
  bool binary(const nlohmann::json::binary_t&) { return false; }  // not in JSON

  // ---- Objects and lists

  bool start_object(std::size_t) {
    switch (place_) {
      case Place::start:
        place_ = Place::item;
        parsed_.items.emplace_back();
        return true;
      case Place::items:
        place_ = Place::item;
        parsed_.items.emplace_back();
        return true;
      case Place::item:
        if (key_ != "row") return refuse_value("an object");
        place_ = Place::row;
        item().row.emplace();
        return true;
      case Place::row:
        return refuse_value("an object");
    }
    return false;
  }
  bool key(const std::string& key) {
    key_ = key;
    if (place_ == Place::row) return true;
    const bool at_top = !parsed_.several;
    if (key == "items" && at_top) {
      const Item& only = item();
      if (only.id || only.row || only.label) return refuse("'items' must be the only key");
      return true;
    }
    const bool known = key == "id" || key == "row" || (key == "label" && with_label_);
    if (parsed_.several && in_list_ == 0) return refuse("'items' must be the only key");
    if (!known) {
      return refuse(fmt::format("unknown key '{}'; an item has {}", first_bytes(key, 64),
                                with_label_ ? "'id', 'row' and 'label'" : "'id' and 'row'"));
    }
    const Item& one = item();
    if ((key == "id" && one.id) || (key == "row" && one.row) || (key == "label" && one.label)) {
      return refuse(fmt::format("the key '{}' is there twice", key));
    }
    return true;
  }
  bool end_object() {
    if (place_ == Place::row) {
      place_ = Place::item;
      if (item().row->repeats_a_name()) return refuse("the row has a name twice");
      return true;
    }
    place_ = parsed_.several ? Place::items : Place::start;
    return true;
  }
  bool start_array(std::size_t) {
    if (place_ == Place::item && key_ == "items" && !parsed_.several) {
      parsed_.several = true;
      parsed_.items.clear();
      place_ = Place::items;
      in_list_ = 1;
      return true;
    }
    return refuse_value("a list");
  }
  bool end_array() {
    // Back in the object that holds the list.
    in_list_ = 0;
    place_ = Place::item;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) {
    constexpr int kOutOfRange = 406;  // nlohmann's number of a number that no double can hold
    if (error.id == kOutOfRange) return refuse("a number is too large");
    parsed_.malformed = true;
    parsed_.mistake = fmt::format("malformed JSON at byte {}", position);
    return false;
  }

 private:
  enum class Place { start, items, item, row };

  Item& item() { return parsed_.items.back(); }

  bool refuse(std::string mistake) {
    parsed_.mistake = std::move(mistake);
    return false;
  }
  bool refuse_value(std::string_view what) {
    if (place_ == Place::start || place_ == Place::items) {
      return refuse(fmt::format("expected an object, not {}", what));
    }
    return refuse(fmt::format("'{}' cannot be {}", first_bytes(key_, 64), what));
  }
  bool number(double value, std::string_view text) {
    if (place_ == Place::row) return add_field(JsonRow::Kind::number, value, text);
    if (place_ != Place::item || key_ != "label") return refuse_value("a number");
    item().label = text;
    return true;
  }
  bool add_field(JsonRow::Kind kind, double value, std::string_view text) {
    item().row->add(key_, kind, value, text);
    return true;
  }

  ParsedItems& parsed_;
  const bool with_label_;
  Place place_ = Place::start;
  int in_list_ = 0;  // 1 within the list of items
  std::string key_;
};

}  // namespace

ParsedItems parse_items(std::string_view json, bool with_label) {
  ParsedItems parsed;
  ItemBuilder builder(parsed, with_label);
  nlohmann::json::sax_parse(json.begin(), json.end(), &builder);
  return parsed;
}

std::optional<JsonRow> parse_row(std::string_view json) {
  std::string item = "{\"row\":";
  item.append(json).append("}");
  ParsedItems parsed = parse_items(item, false);
  if (!parsed.mistake.empty() || parsed.items.size() != 1) return std::nullopt;
  return std::move(parsed.items.front().row);
}

}  // namespace plumbline::serve
