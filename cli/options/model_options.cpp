#include "cli/options/model_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/options/checks.h"
#include "cli/options/toml.h"
#include "cli/shell/values.h"
#include "plumbline/base/error.h"
#include "plumbline/calibrators/registry.h"
#include "plumbline/learners/registry.h"
#include "plumbline/policies/registry.h"
#include "plumbline/policies/reward_registry.h"

namespace plumbline::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kGroup = "Model";

template <class Registry>
std::string list_of(const Registry& registry) {
  std::string text;
  std::size_t column = 0;
  for (const std::string& name : names_of(registry)) {
    constexpr std::size_t kWidth = 80;
    if (column + name.size() > kWidth) {
      text += fmt::format(",\n{:15}", "");
      column = 0;
    } else if (column > 0) {
      text += ", ";
    }
    text += name;
    column += name.size() + 2;
  }
  return text;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

// `path.option=value` as JSON; what the value is, the option itself decides.
Json setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || equals == 0) {
    throw Error(
        ErrorKind::config,
        fmt::format("--set '{}' is not PLACE.OPTION=VALUE, such as ensemble.size=25", text));
  }
  const std::string value = text.substr(equals + 1);
  if (dot != std::string::npos && dot < equals) {
    return {{text.substr(0, dot), {{text.substr(dot + 1, equals - dot - 1), value}}}};
  }
  // A place of its own: a number (batch, seed), a list (actions) or a component's name.
  const Json number = Json::parse(value, nullptr, /*allow_exceptions=*/false);
  const std::string key = text.substr(0, equals);
  if (key == "actions") return {{key, CLI::detail::split(value, ',')}};
  if (key == "companions") {
    return {{key, value.empty() ? std::vector<std::string>{} : split_specs({value})}};
  }
  return {{key, number.is_number() ? number : Json(value)}};
}

}  // namespace

bool ModelOptions::any() const {
  return preset_option->count() > 0 || !config_file.empty() || !learner.empty() ||
         !companions.empty() || !score.empty() || !calibrator.empty() || !policy.empty() ||
         !reward.empty() || !multiclass.empty() || !actions.empty() || learners || batch || seed ||
         !settings.empty();
}

std::vector<std::string> split_specs(const std::vector<std::string>& texts) {
  std::vector<std::string> specs;
  for (const std::string& text : texts) {
    bool first = true;
    for (const std::string& piece : CLI::detail::split(text, ',')) {
      const std::size_t equals = piece.find('=');
      const bool option = equals != std::string::npos && piece.find(':') >= equals;
      if (option && !first) {
        specs.back() += "," + piece;
      } else {
        specs.push_back(piece);
      }
      first = false;
    }
  }
  return specs;
}

void add_model_options(CLI::App& verb, ModelOptions& options, bool single) {
  const auto add = [&](const std::string& name, auto& value, const std::string& help,
                       const std::string& type) {
    return verb.add_option(name, value, help)->type_name(type)->group(kGroup);
  };
  std::string presets_text;
  for (const Preset& preset : presets()) {
    presets_text += fmt::format("; {}: {}", preset.name, preset.summary);
  }
  options.preset_option = offer_values(add("--preset", options.preset,
                                           "Configuration to begin with" + presets_text, "NAME"),
                                       preset_names())
                              ->capture_default_str();
  add("--config", options.config_file, "TOML file with any options; see 'plumbline config'", "FILE")
      ->check(path());
  if (single) {
    offer_values(add("--learner", options.learner,
                     "Weak learner, e.g. logistic:penalty=l1,alpha=0.01; without the preset's "
                     "companions unless --companions names some",
                     "SPEC"),
                 names_of(learners()));
    offer_values(add("--companions", options.companions,
                     "Single learners beside the ensemble, for calibrators that read several "
                     "scores (stack, cascade)",
                     "SPEC"),
                 names_of(learners()));
    add("--learners", options.learners, "Number of weak learners", "N");
    offer_values(
        add("--calibrator", options.calibrator, "Calibrator of the scores, e.g. platt", "SPEC"),
        names_of(calibrators()));
    offer_values(add("--policy", options.policy,
                     "What decides on each minibatch, e.g. fixed:every=4", "SPEC"),
                 names_of(policies()));
    offer_values(add("--multiclass", options.multiclass,
                     "The label has several classes, by one against rest (ovr) or one against one "
                     "(ovo); ovr without asking if more than two values are among the first rows",
                     "NAME"),
                 {"ovr", "ovo"});
  }
  offer_values(
      add("--score", options.score, "How votes become a score: vote_fraction or logistic", "NAME"),
      {"vote_fraction", "logistic"});
  offer_values(add("--reward", options.reward,
                   "What a policy is paid for, e.g. log_loss:on=same_batch", "SPEC"),
               names_of(rewards()));
  offer_values(add("--actions", options.actions,
                   "What a policy chooses from: train, calibrate, both, skip", "NAME"),
               {"train", "calibrate", "both", "skip"})
      ->delimiter(',');
  add("--batch", options.batch, "Rows of a minibatch", "N");
  add("--seed", options.seed, "Seed of the random numbers", "N")->check(whole_number(0));
  add("--set", options.settings, "Any other option, e.g. ensemble.resample=false", "KEY=VALUE");
}

Config make_config(const ModelOptions& options) {
  Config config = preset(options.preset);
  if (!options.config_file.empty()) {
    config = overlay_toml(config, options.config_file);
  }
  Json changes = Json::object();
  const auto change = [&](const char* key, const auto& value) { changes[key] = value; };
  if (!options.learner.empty()) change("learner", options.learner);
  if (!options.companions.empty()) change("companions", split_specs(options.companions));
  if (!options.calibrator.empty()) change("calibrator", options.calibrator);
  if (!options.policy.empty()) change("policy", options.policy);
  if (!options.reward.empty()) change("reward", options.reward);
  if (!options.multiclass.empty()) change("multiclass", options.multiclass);
  if (!options.score.empty()) changes["ensemble"]["score"] = options.score;
  if (options.learners) changes["ensemble"]["size"] = *options.learners;
  if (!options.actions.empty()) change("actions", options.actions);
  if (options.batch) change("batch", *options.batch);
  if (options.seed) change("seed", *options.seed);
  config = overlay(config, changes.dump());
  for (const std::string& text : options.settings) config = overlay(config, setting(text).dump());
  return config;
}

std::string learners_text(const ModelConfig& config) {
  std::string text = fmt::format("{} x {}", config.ensemble.size, config.learner.name);
  for (auto first = config.companions.begin(); first != config.companions.end();) {
    const auto last = std::find_if(first, config.companions.end(),
                                   [&](const Spec& spec) { return spec.name != first->name; });
    text += fmt::format(" + {} x {}", last - first, first->name);
    first = last;
  }
  return text;
}

std::string list_of_components() {
  return fmt::format(
      "Components, each with options after a colon (name:option=value,option=value; 'plumbline "
      "config' lists them):\n"
      "  learners     {}\n"
      "  calibrators  {}\n"
      "  policies     {}\n"
      "  rewards      {}\n",
      list_of(learners()), list_of(calibrators()), list_of(policies()), list_of(rewards()));
}

}  // namespace plumbline::cli
