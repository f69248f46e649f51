#include "plumbline/model/spec_json.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

void refuse_config(const std::string& message) {
  throw Error(ErrorKind::config, "the configuration is invalid: " + message);
}

Json spec_to_json(const Spec& spec) {
  Json json{{"name", spec.name}};
  for (const auto& [option, value] : spec.options) {
    std::visit([&, &key = option](const auto& v) { json[key] = v; }, value);
  }
  return json;
}

namespace {

OptionValue option_from_json(const std::string& where, const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kMax) return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  refuse_config(fmt::format("'{}' must be a number, a text, true or false", where));
}

}  // namespace

Spec spec_from_json(const std::string& key, const Json& json, const Spec& base) {
  if (json.is_string()) return Spec(json.get<std::string>());
  if (!json.is_object()) refuse_config(fmt::format("'{}' must be a text or an object", key));
  Spec spec = base;
  if (json.contains("name")) {
    if (!json["name"].is_string()) refuse_config(fmt::format("'{}.name' must be a text", key));
    spec = Spec();
    spec.name = json["name"].get<std::string>();
  }
  for (const auto& [option, value] : json.items()) {
    if (option != "name") spec.set(option, option_from_json(key + "." + option, value));
  }
  return spec;
}

}  // namespace plumbline::inline v0
