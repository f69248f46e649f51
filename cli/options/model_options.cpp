#include "cli/options/model_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/components.h"
#include "cli/options/toml.h"
#include "cli/options/value.h"
#include "plumbline/calibrator.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/learner.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::cli {
namespace {

constexpr const char* kModel = "Model";
constexpr const char* kDefaultPreset = "auto";
constexpr Range kShare{.low = 0, .high = 1, .low_open = true};

// `path.option=value` as JSON; the option determines the type of the value.
Json setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::config,
                fmt::format("--set '{}' is not PART.OPTION=VALUE, such as ensemble.size=25", text));
  }
  const std::string value = text.substr(equals + 1);
  if (dot != std::string::npos && dot < equals) {
    return {{text.substr(0, dot), {{text.substr(dot + 1, equals - dot - 1), value}}}};
  }
  // A key of the configuration itself: a number (batch, seed), a list (actions) or a component's name.
  const Json number = parse_json(value);
  const std::string key = text.substr(0, equals);
  if (key == "actions") return {{key, split(value, ',')}};
  if (key == "companions") {
    return {{key, value.empty() ? std::vector<std::string>{} : split_specs({value})}};
  }
  return {{key, number.is_number() ? number : Json(value)}};
}

std::vector<Option> base_options(ModelOptions& options) {
  return {{.names = {"--preset"},
           .metavar = "NAME",
           .help = "Base configuration, one of the presets below",
           .fallback = kDefaultPreset,
           .offers = offer_presets,
           .value = text(options.preset)},
          {.names = {"--config"},
           .metavar = "FILE",
           .help = "TOML file with any options; see 'plumbline config'",
           .completion = Completion::files,
           .value = path(options.config_file)}};
}

Option number_of_learners(ModelOptions& options) {
  return {.names = {"--learners"},
          .metavar = "N",
          .help = "Number of weak learners",
          .value = whole(options.learners)};
}

std::vector<Option> learner_options(ModelOptions& options) {
  return {
      {.names = {"--learner"},
       .metavar = "SPEC",
       .help = "Weak learner, e.g. logistic:penalty=l1,alpha=0.01; removes the preset's "
               "companions unless --companions names some",
       .offers = offer_specs_of<learners>,
       .value = text(options.learner)},
      {.names = {"--companions"},
       .metavar = "SPEC",
       .help = "Models beside the ensemble, for calibrators of several scores (stack, cascade): "
               "forest, neighbors, label_history, or any learner",
       .offers = offer_companions,
       .value = texts(options.companions)},
      number_of_learners(options)};
}

// Options of which `compare` takes several values.
std::vector<Option> single_options(ModelOptions& options) {
  return {{.names = {"--calibrator"},
           .metavar = "SPEC",
           .help = "Calibrator of the scores, e.g. platt",
           .offers = offer_specs_of<calibrators>,
           .value = text(options.calibrator)},
          {.names = {"--policy"},
           .metavar = "SPEC",
           .help = "Policy that chooses the action for each minibatch, e.g. fixed:every=4",
           .offers = offer_specs_of<policies>,
           .value = text(options.policy)},
          {.names = {"--multiclass"},
           .metavar = "NAME",
           .help = "Treat the label as several classes, by one-vs-rest (ovr) or one-vs-one (ovo); "
                   "ovr is the default if the first rows have more than two values",
           .choices = {"ovr", "ovo"},
           .value = text(options.multiclass)}};
}

std::vector<Option> training_options(ModelOptions& options) {
  return {{.names = {"--score"},
           .metavar = "NAME",
           .help = "Score of the ensemble's votes: vote_fraction or logistic",
           .choices = {"vote_fraction", "logistic"},
           .value = text(options.score)},
          {.names = {"--reward"},
           .metavar = "SPEC",
           .help = "Reward of the policy, e.g. log_loss:on=same_batch",
           .offers = offer_specs_of<rewards>,
           .value = text(options.reward)},
          {.names = {"--actions"},
           .metavar = "NAME",
           .help = "Actions that the policy chooses from: train, calibrate, both, skip",
           .choices = {"train", "calibrate", "both", "skip"},
           .value = texts(options.actions, ',')}};
}

std::vector<Option> other_options(ModelOptions& options) {
  return {
      {.names = {"--batch"},
       .metavar = "N",
       .help = "Rows per minibatch",
       .value = whole(options.batch)},
      {.names = {"--label-delay"},
       .metavar = "N",
       .help = "Label delay in rows: a row is learned after the N rows that follow it have been "
               "predicted",
       .fallback = "0",
       .value = whole(options.label_delay)},
      {.names = {"--learn-budget"},
       .metavar = "SHARE",
       .help = "Share of minibatches that may be trained, e.g. 0.2; calibrating is not limited",
       .fallback = "1",
       .value = number(options.learn_budget, kShare)},
      {.names = {"--learn-burst"},
       .metavar = "N",
       .help = "Minibatches that may be trained at first, beyond the learn budget",
       .fallback = "1",
       .value = whole(options.learn_burst)},
      {.names = {"--label-budget"},
       .metavar = "SHARE",
       .help =
           "Share of rows whose labels may be asked for, e.g. 0.1; the other rows are predicted "
           "and not learned",
       .fallback = "1",
       .value = number(options.label_budget, kShare)},
      {.names = {"--label-choice"},
       .metavar = "NAME",
       .help = "Rows that the label budget is spent on: selective (least certain predictions) or "
               "random",
       .fallback = "selective",
       .choices = {"selective", "random"},
       .value = text(options.label_choice)},
      {.names = {"--seed"},
       .metavar = "N",
       .help = "Seed of the random numbers",
       .value = whole(options.seed)},
      {.names = {"--set"},
       .metavar = "KEY=VALUE",
       .help = "Any other option, e.g. ensemble.resample=false",
       .value = texts(options.settings)}};
}

}  // namespace

bool ModelOptions::any() const {
  return !preset.empty() || !config_file.empty() || !learner.empty() || !companions.empty() ||
         !score.empty() || !calibrator.empty() || !policy.empty() || !reward.empty() ||
         !multiclass.empty() || !actions.empty() || learners || batch || label_delay ||
         learn_budget || learn_burst || label_budget || !label_choice.empty() || seed ||
         !settings.empty();
}

void add_model_options(Verb& verb, ModelOptions& options) {
  add_options(verb, kModel, base_options(options), kKeptInModel);
  add_options(verb, kModel, learner_options(options), kKeptInModel);
  add_options(verb, kModel, single_options(options), kKeptInModel);
  add_options(verb, kModel, training_options(options), kKeptInModel);
  add_options(verb, kModel, other_options(options), kKeptInModel);
}

void add_shared_model_options(Verb& verb, ModelOptions& options) {
  add_options(verb, kModel, base_options(options), kKeptInModel);
  add_options(verb, kModel, {number_of_learners(options)}, kKeptInModel);
  add_options(verb, kModel, training_options(options), kKeptInModel);
  add_options(verb, kModel, other_options(options), kKeptInModel);
}

Config make_config(const ModelOptions& options) {
  Config config = preset(options.preset.empty() ? kDefaultPreset : options.preset);
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
  if (options.label_delay) change("label_delay", *options.label_delay);
  if (options.learn_budget) change("learn_budget", *options.learn_budget);
  if (options.learn_burst) change("learn_burst", *options.learn_burst);
  if (options.label_budget) change("label_budget", *options.label_budget);
  if (!options.label_choice.empty()) change("label_choice", options.label_choice);
  if (options.seed) change("seed", *options.seed);
  config = overlay(config, print_json(changes));
  for (const std::string& text : options.settings)
    config = overlay(config, print_json(setting(text)));
  return config;
}

std::string delay_text(const Config& config) {
  if (config.label_delay == 0) return "";
  return fmt::format(", labels {} row{} later", config.label_delay,
                     config.label_delay == 1 ? "" : "s");
}

std::string budget_text(const Config& config) {
  std::string text;
  if (config.model.learn_budget < 1) {
    text += fmt::format(", learn budget {}", config.model.learn_budget);
  }
  if (config.label_budget < 1) {
    text +=
        fmt::format(", label budget {} ({})", config.label_budget, name_of(config.label_choice));
  }
  return text;
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

}  // namespace plumbline::cli
