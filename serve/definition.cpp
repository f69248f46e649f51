#include "serve/definition.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"

namespace plumbline::serve {

std::string Definition::to_json() const {
  Json json{{"config", parse_json(plumbline::to_json(config))}};
  if (file.empty()) {
    json["classes"] = classes;
  } else {
    json["file"] = file;
    json["checksum"] = checksum;
  }
  if (costs) {
    json["costs"] = {{"false_positive", costs->false_positive},
                     {"false_negative", costs->false_negative}};
  }
  return print_json(json, 2) + "\n";
}

Definition Definition::load(const std::string& folder) {
  const std::string path = folder + "/definition.json";
  const std::vector<std::byte> bytes = read_file(path);
  return from_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

Definition Definition::from_json(std::string_view text, const std::string& source) {
  const Json json = parse_json(text);
  try {
    Definition definition;
    definition.config = overlay(preset("auto"), print_json(json.at("config")));
    if (json.contains("file")) {
      definition.file = json.at("file").get<std::string>();
      definition.checksum = json.at("checksum").get<std::string>();
    } else {
      definition.classes = json.at("classes").get<std::vector<std::string>>();
    }
    if (json.contains("costs")) {
      definition.costs = Costs{json.at("costs").at("false_positive").get<double>(),
                               json.at("costs").at("false_negative").get<double>()};
    }
    return definition;
  } catch (const Json::exception&) {
    throw Error(ErrorKind::config, "this is not the definition of a model", {.source = source});
  }
}

void check_model_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (!name.empty() && name.size() <= 64 && std::ranges::all_of(name, allowed) &&
      name.front() != '.' && name.front() != '-' && name.front() != '_' &&
      !name.ends_with(".new") && !name.ends_with(".removed") && name != "lock") {
    return;
  }
  throw Error(
      ErrorKind::config,
      fmt::format("the name '{}' of a model must be 1 to 64 letters, digits, '-', '_' or "
                  "'.', begin with a letter or a digit, and not be 'lock' or end in '.new' or "
                  "'.removed'",
                  name));
}

}  // namespace plumbline::serve
