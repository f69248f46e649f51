#include "plumbline/model/config.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plumbline/calibrators/registry.h"
#include "plumbline/core/error.h"
#include "plumbline/learners/registry.h"
#include "plumbline/policies/registry.h"
#include "plumbline/rewards/registry.h"

namespace plumbline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEnsemble = "online_boost";

Json spec_to_json(const Spec& spec) {
  Json json{{"name", spec.name}};
  for (const auto& [option, value] : spec.options) {
    std::visit([&, &key = option](const auto& v) { json[key] = v; }, value);
  }
  return json;
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::config, "the configuration is not usable: " + message);
}

OptionValue option_from_json(const std::string& where, const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kMax) return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  refuse(fmt::format("'{}' must be a number, a text, true or false", where));
}

// A component as text, or as an object whose name may be left out.
Spec spec_from_json(const std::string& key, const Json& json, const std::string& default_name) {
  if (json.is_string()) return Spec(json.get<std::string>());
  if (!json.is_object()) refuse(fmt::format("'{}' must be a text or an object", key));
  Spec spec;
  spec.name = default_name;
  for (const auto& [option, value] : json.items()) {
    if (option == "name") {
      if (!value.is_string()) refuse(fmt::format("'{}.name' must be a text", key));
      spec.name = value.get<std::string>();
    } else {
      spec.set(option, option_from_json(key + "." + option, value));
    }
  }
  return spec;
}

Actions actions_from_json(const Json& json) {
  Actions actions;
  if (!json.is_array()) refuse("'actions' must be a list of texts");
  for (const Json& item : json) {
    if (!item.is_string()) refuse("'actions' must be a list of texts");
    actions.push_back(action_named(item.get<std::string>()));
  }
  return actions;
}

OnlineBoost::Params ensemble_from_json(const Json& json) {
  const Spec spec = spec_from_json("ensemble", json, kEnsemble);
  const std::string known[] = {kEnsemble};
  if (spec.name != kEnsemble) refuse_name("ensemble", spec.name, known);
  return read_params<OnlineBoost::Params>(spec, "the ensemble");
}

}  // namespace

ModelConfig complete(const ModelConfig& config) {
  ModelConfig full = config;
  full.learner = learners().complete(config.learner);
  full.ensemble =
      read_params<OnlineBoost::Params>(write_params(kEnsemble, config.ensemble), "the ensemble");
  full.calibrator = calibrators().complete(config.calibrator);
  full.policy = policies().complete(config.policy);
  full.reward = rewards().complete(config.reward);
  if (config.actions.empty()) refuse("the list of actions is empty");
  for (const Action action : config.actions) {
    if (std::count(config.actions.begin(), config.actions.end(), action) > 1) {
      refuse(fmt::format("the action '{}' is listed twice", name(action)));
    }
  }
  return full;
}

std::string to_json(const ModelConfig& config) {
  const ModelConfig full = complete(config);
  Json json;
  json["learner"] = spec_to_json(full.learner);
  json["ensemble"] = spec_to_json(write_params(kEnsemble, full.ensemble));
  json["calibrator"] = spec_to_json(full.calibrator);
  json["policy"] = spec_to_json(full.policy);
  json["reward"] = spec_to_json(full.reward);
  json["actions"] = Json::array();
  for (const Action action : full.actions) json["actions"].push_back(name(action));
  json["seed"] = full.seed;
  return json.dump();
}

ModelConfig config_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) refuse("it is not a JSON object");
  ModelConfig config;
  for (const auto& [key, value] : json.items()) {
    if (key == "learner") {
      config.learner = spec_from_json(key, value, config.learner.name);
    } else if (key == "ensemble") {
      config.ensemble = ensemble_from_json(value);
    } else if (key == "calibrator") {
      config.calibrator = spec_from_json(key, value, config.calibrator.name);
    } else if (key == "policy") {
      config.policy = spec_from_json(key, value, config.policy.name);
    } else if (key == "reward") {
      config.reward = spec_from_json(key, value, config.reward.name);
    } else if (key == "actions") {
      config.actions = actions_from_json(value);
    } else if (key == "seed") {
      if (!value.is_number_unsigned()) refuse("'seed' must be a whole number from 0 on");
      config.seed = value.get<std::uint64_t>();
    } else {
      const std::string known[] = {"learner", "ensemble", "calibrator", "policy",
                                   "reward",  "actions",  "seed"};
      refuse_name("key of the configuration", key, known);
    }
  }
  return complete(config);
}

const std::vector<Preset>& presets() {
  // The defaults of the components are the literal reading.
  static const std::vector<Preset> table{
      {"paper", "the most literal reading of the paper", complete(ModelConfig{})}};
  return table;
}

const ModelConfig& preset(std::string_view name) {
  std::vector<std::string> known;
  for (const Preset& row : presets()) {
    if (row.name == name) return row.config;
    known.push_back(row.name);
  }
  refuse_name("preset", name, known);
}

}  // namespace plumbline
