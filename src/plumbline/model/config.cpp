#include "plumbline/config.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "plumbline/ensemble/score_sources.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/model/spec_json.h"

namespace plumbline::inline v0 {
namespace {

constexpr const char* kEnsemble = "online_boost";
constexpr const char* kEncoder = "encoder";
constexpr const char* kLabelDelay = "label_delay";
constexpr const char* kLabelBudget = "label_budget";
constexpr const char* kLabelChoice = "label_choice";
constexpr const char* kLearnBudget = "learn_budget";
constexpr const char* kLearnBurst = "learn_burst";
constexpr const char* kHistory = "history";
// calibrators/stack.h takes 22 scores: 3 of the ensemble, these, and 4 of other models.
constexpr std::size_t kMaxCompanionScores = 15;
constexpr std::int64_t kMaxBatch = 1000000;
constexpr std::int64_t kMaxLabelDelay = 1000000;
constexpr std::int64_t kMaxLearnBurst = 1000000000;
constexpr std::int64_t kMaxHistory = 1000000;

// Reads a number or the text of one: TOML has no integers beyond 2^63.
std::uint64_t seed_from_json(const Json& json) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_string()) {
    const auto text = json.get<std::string>();
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error == std::errc() && end == text.data() + text.size()) return seed;
  }
  refuse_config("'seed' must be a whole number from 0 to 2^64 - 1");
}

double share_from_json(const char* key, const Json& json) {
  if (!json.is_number()) refuse_config(fmt::format("'{}' must be a number", key));
  return json.get<double>();
}

std::int64_t whole_from_json(const std::string& key, const Json& json) {
  if (!json.is_number_integer()) refuse_config(fmt::format("'{}' must be a whole number", key));
  return json.get<std::int64_t>();
}

void check_share(const char* key, double share) {
  if (share > 0 && share <= 1) return;  // not a NaN
  refuse_config(fmt::format("'{}' must be above 0 and at most 1, not {}", key, share));
}

Actions actions_from_json(const Json& json) {
  Actions actions;
  if (!json.is_array()) refuse_config("'actions' must be a list of texts");
  for (const Json& item : json) {
    if (!item.is_string()) refuse_config("'actions' must be a list of texts");
    actions.push_back(action_named(item.get<std::string>()));
  }
  return actions;
}

EnsembleOptions ensemble_from_json(const Json& json, const EnsembleOptions& base) {
  const Spec spec = spec_from_json("ensemble", json, Spec(kEnsemble));
  const std::string names[] = {kEnsemble};
  if (spec.name != kEnsemble) refuse_name("ensemble", spec.name, names);
  return read_params<EnsembleOptions>(spec, "the ensemble", base);
}

std::vector<Spec> companions_from_json(const Json& json) {
  if (!json.is_array()) refuse_config("'companions' must be a list of learners");
  std::vector<Spec> specs;
  for (const Json& item : json) specs.push_back(spec_from_json("companions", item, Spec()));
  return specs;
}

// Returns false if the key is not one of the model's.
bool read_key(ModelConfig& config, const std::string& key, const Json& value) {
  if (key == "learner") {
    config.learner = spec_from_json(key, value, config.learner);
  } else if (key == "companions") {
    config.companions = companions_from_json(value);
  } else if (key == "ensemble") {
    config.ensemble = ensemble_from_json(value, config.ensemble);
  } else if (key == "calibrator") {
    config.calibrator = spec_from_json(key, value, config.calibrator);
  } else if (key == "policy") {
    config.policy = spec_from_json(key, value, config.policy);
  } else if (key == "reward") {
    config.reward = spec_from_json(key, value, config.reward);
  } else if (key == "actions") {
    config.actions = actions_from_json(value);
  } else if (key == "seed") {
    config.seed = seed_from_json(value);
  } else if (key == kLearnBudget) {
    config.learn_budget = share_from_json(kLearnBudget, value);
  } else if (key == kLearnBurst) {
    config.learn_burst = whole_from_json(key, value);
  } else if (key == kHistory) {
    config.history = whole_from_json(key, value);
  } else if (key == "first_round") {
    if (!value.is_string()) refuse_config("'first_round' must be a text");
    config.first_round = first_round_named(value.get<std::string>());
  } else if (key == "multiclass") {
    if (!value.is_string()) refuse_config("'multiclass' must be a text");
    config.multiclass = multiclass_named(value.get<std::string>());
  } else {
    return false;
  }
  return true;
}

bool read_key(Config& config, const std::string& key, const Json& value) {
  if (key == "batch" || key == kLabelDelay) {
    (key == "batch" ? config.batch : config.label_delay) = whole_from_json(key, value);
  } else if (key == kLabelBudget) {
    config.label_budget = share_from_json(kLabelBudget, value);
  } else if (key == kLabelChoice) {
    if (!value.is_string()) refuse_config("'label_choice' must be a text");
    config.label_choice = label_choice_named(value.get<std::string>());
  } else if (key == kEncoder) {
    if (!value.is_object()) refuse_config("'encoder' must be an object");
    Spec spec = spec_from_json(key, value, Spec(kEncoder));
    for (auto& [option, ignored] : spec.options) {
      if (option == "standardise") option = "standardize";  // until version 0.1.0
    }
    config.encoder = read_params(spec, "the encoder", config.encoder);
  } else {
    return read_key(config.model, key, value);
  }
  return true;
}

std::vector<Spec>& companions_of(ModelConfig& config) { return config.companions; }
std::vector<Spec>& companions_of(Config& config) { return config.model.companions; }

template <class Config>
void read_keys(Config& config, std::string_view text, std::vector<std::string> keys) {
  const Json json = parse_json(text);
  if (!json.is_object()) refuse_config("it is not a JSON object");
  for (const auto& [key, value] : json.items()) {
    if (!read_key(config, key, value)) refuse_name("key of the configuration", key, keys);
  }
  const auto learner = json.find("learner");
  const bool named = learner != json.end() && (!learner->is_object() || learner->contains("name"));
  if (named && !json.contains("companions")) companions_of(config).clear();
}

Json model_to_json(const ModelConfig& full) {
  Json json;
  json["learner"] = spec_to_json(full.learner);
  json["companions"] = Json::array();
  for (const Spec& spec : full.companions) json["companions"].push_back(spec_to_json(spec));
  json["ensemble"] = spec_to_json(write_params(kEnsemble, full.ensemble));
  json["calibrator"] = spec_to_json(full.calibrator);
  json["policy"] = spec_to_json(full.policy);
  json["reward"] = spec_to_json(full.reward);
  json["actions"] = Json::array();
  for (const Action action : full.actions) json["actions"].push_back(name_of(action));
  if (full.first_round != FirstRound::train) json["first_round"] = name_of(full.first_round);
  json["seed"] = full.seed;
  if (full.learn_budget < 1) json[kLearnBudget] = full.learn_budget;
  if (full.learn_burst > 1) json[kLearnBurst] = full.learn_burst;
  if (full.history != ModelConfig{}.history) json[kHistory] = full.history;
  if (full.multiclass != ModelConfig{}.multiclass) json["multiclass"] = name_of(full.multiclass);
  return json;
}

const std::vector<std::string> kModelKeys{
    "learner",     "companions", "ensemble",   "calibrator", "policy", "reward",    "actions",
    "first_round", "seed",       kLearnBudget, kLearnBurst,  kHistory, "multiclass"};
const std::vector<std::string> kConfigKeys = [] {
  std::vector<std::string> keys = kModelKeys;
  keys.insert(keys.end(), {"batch", kLabelDelay, kLabelBudget, kLabelChoice, kEncoder});
  return keys;
}();

}  // namespace

std::string_view name_of(Multiclass scheme) { return scheme == Multiclass::ovo ? "ovo" : "ovr"; }

Multiclass multiclass_named(std::string_view text) {
  const std::string names[] = {"ovr", "ovo"};
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    if (name_of(scheme) == text) return scheme;
  }
  refuse_name("multiclass scheme", text, names);
}

std::string_view name_of(FirstRound first) {
  return first == FirstRound::train ? "train" : "train_then_calibrate";
}

FirstRound first_round_named(std::string_view text) {
  const std::string names[] = {"train", "train_then_calibrate"};
  for (const FirstRound first : {FirstRound::train, FirstRound::train_then_calibrate}) {
    if (name_of(first) == text) return first;
  }
  refuse_name("first round", text, names);
}

std::string_view name_of(LabelChoice choice) {
  return choice == LabelChoice::selective ? "selective" : "random";
}

LabelChoice label_choice_named(std::string_view text) {
  const std::string names[] = {"selective", "random"};
  for (const LabelChoice choice : {LabelChoice::selective, LabelChoice::random}) {
    if (name_of(choice) == text) return choice;
  }
  refuse_name("label choice", text, names);
}

ModelConfig complete(const ModelConfig& config, const Components& components) {
  ModelConfig full = config;
  full.learner = components.learners.complete(config.learner);
  for (Spec& spec : full.companions) spec = complete_companion(components.learners, spec);
  std::size_t scores = 0;
  for (const Spec& spec : full.companions) scores += companion_columns(spec);
  if (scores > kMaxCompanionScores) {
    refuse_config(fmt::format("the companions give {} scores, and at most {} are possible", scores,
                              kMaxCompanionScores));
  }
  full.ensemble =
      read_params<EnsembleOptions>(write_params(kEnsemble, config.ensemble), "the ensemble");
  full.calibrator = components.calibrators.complete(config.calibrator);
  full.policy = components.policies.complete(config.policy);
  full.reward = components.rewards.complete(config.reward);
  check_share(kLearnBudget, config.learn_budget);
  if (config.learn_burst < 1 || config.learn_burst > kMaxLearnBurst) {
    refuse_config(fmt::format("'{}' must be from 1 to {}, not {}", kLearnBurst, kMaxLearnBurst,
                              config.learn_burst));
  }
  if (config.history < 1 || config.history > kMaxHistory) {
    refuse_config(
        fmt::format("'{}' must be from 1 to {}, not {}", kHistory, kMaxHistory, config.history));
  }
  if (config.actions.empty()) refuse_config("the list of actions is empty");
  for (const Action action : config.actions) {
    if (std::count(config.actions.begin(), config.actions.end(), action) > 1) {
      refuse_config(fmt::format("the action '{}' is listed twice", name_of(action)));
    }
  }
  return full;
}

Config complete(const Config& config, const Components& components) {
  Config full = config;
  full.model = complete(config.model, components);
  full.encoder = read_params<EncoderOptions>(write_params(kEncoder, config.encoder), "the encoder");
  if (config.batch < 1 || config.batch > kMaxBatch) {
    refuse_config(fmt::format("'batch' must be from 1 to {}, not {}", kMaxBatch, config.batch));
  }
  if (config.label_delay < 0 || config.label_delay > kMaxLabelDelay) {
    refuse_config(fmt::format("'{}' must be from 0 to {}, not {}", kLabelDelay, kMaxLabelDelay,
                              config.label_delay));
  }
  check_share(kLabelBudget, config.label_budget);
  return full;
}

std::string to_json(const ModelConfig& config, const Components& components) {
  return print_json(model_to_json(complete(config, components)));
}

std::string to_json(const Config& config, const Components& components) {
  const Config full = complete(config, components);
  Json json = model_to_json(full.model);
  json["batch"] = full.batch;
  if (full.label_delay > 0) json[kLabelDelay] = full.label_delay;
  if (full.label_budget < 1) json[kLabelBudget] = full.label_budget;
  if (full.label_choice != LabelChoice::selective) json[kLabelChoice] = name_of(full.label_choice);
  json[kEncoder] = spec_to_json(write_params(kEncoder, full.encoder));
  json[kEncoder].erase("name");
  return print_json(json);
}

ModelConfig config_from_json(std::string_view text, const Components& components) {
  ModelConfig config;
  read_keys(config, text, kModelKeys);
  return complete(config, components);
}

void require_components(std::string_view json, const Components& components) {
  Config config;
  read_keys(config, json, kConfigKeys);
  const auto require = [](const auto& registry, const Spec& spec) {
    if (registry.contains(spec.name)) return;
    throw Error(ErrorKind::config,
                fmt::format("it needs the {} '{}', which is not one of the library's; load it with "
                            "the components that it was made with",
                            registry.family(), spec.name));
  };
  require(components.learners, config.model.learner);
  for (const Spec& spec : config.model.companions) {
    if (!companions().contains(spec.name)) require(components.learners, spec);
  }
  require(components.calibrators, config.model.calibrator);
  require(components.policies, config.model.policy);
  require(components.rewards, config.model.reward);
}

Config overlay(const Config& base, std::string_view json, const Components& components) {
  Config config = base;
  read_keys(config, json, kConfigKeys);
  return complete(config, components);
}

namespace {

// `plumbline paper --ablation` measures the effect of each ingredient (docs/probabilities.md).
// Every minibatch serves both the calibrators, which have memory, and the ensemble, whose errors are
// counted out of sample. Naive Bayes has a variance floor, so that categories and constants do not make it
// overconfident, and boosting with small weights, which keeps its learners good on their own. Five
// initial right and wrong answers moderate the votes of the first minibatches. Linear models with memories of
// 10,000, 1000 and 100 examples complement Naive Bayes, and the calibrator learns their weights. They treat rows
// unlike those that they learned like the nearest ones.
ModelConfig fast() {
  ModelConfig config;
  config.learner = "gaussian_nb:relative_floor=0.01";
  config.ensemble.correctness = Correctness::before_batch;
  config.ensemble.score = ScoreKind::logistic;
  config.ensemble.resample = EnsembleOptions::Resample::yes;
  config.ensemble.weight_cap = 2;
  config.ensemble.prior_weight = 5;
  config.calibrator = "cascade";
  for (const double forgetting : {0.9999, 0.999, 0.99}) {
    config.companions.push_back(
        Spec("logistic_adaptive").set("forgetting", forgetting).set("reach", 10.0));
  }
  config.policy = "always:action=both";
  config.actions = {Action::train, Action::calibrate, Action::both};
  return config;
}

// Bins see effects of a feature that are not linear, a forest sees interactions, neighbors see clusters and repeated
// rows, and the label history sees runs of labels. The link functions of the linear models are learned, for labels of
// which some are wrong.
ModelConfig automatic() {
  ModelConfig config = fast();
  for (Spec& linear : config.companions) linear.set("link", "learned");
  config.companions.push_back("logistic_bins");
  config.companions.push_back("forest:trees=16,candidates=32,rates=3,refine=true");
  config.companions.push_back("neighbors");
  config.companions.push_back("label_history");
  return config;
}

// For one model per key (plumbline/keyed_model.h): few numbers, and good after few rows. The calibrator begins with the
// last score, which is that of the parent.
ModelConfig small() {
  ModelConfig config = fast();
  config.ensemble.size = 1;
  config.companions = {Spec("logistic_adaptive").set("forgetting", 0.999)};
  config.calibrator = "anchored";
  config.history = 1;
  return config;
}

// Where the paper's text is ambiguous, the choice that comes closest to its published numbers (docs/paper.md).
ModelConfig paper() {
  ModelConfig config;
  config.learner = "gaussian_nb:variance_floor=1e-4";
  config.ensemble.correctness = Correctness::before_update;
  config.ensemble.resample = EnsembleOptions::Resample::weight;
  config.reward = "log_loss:on=running";
  return config;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table{
      {"auto", "good probabilities without tuning", complete(automatic()), 1},
      {"fast", "auto without bins, trees, neighbors and label history: many times as fast",
       complete(fast()), 10},
      {"small", "for one model per key: a few KiB", complete(small()), 1},
      {"literal", "the most literal interpretation of the paper", complete(ModelConfig{}), 50},
      {"paper", "the interpretation of the paper closest to its published numbers",
       complete(paper()), 50}};
  return table;
}

namespace {

const Preset& find_preset(std::string_view name) {
  std::vector<std::string> names;
  for (const Preset& row : presets()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  refuse_name("preset", name, names);
}

}  // namespace

Config preset(std::string_view name) {
  const Preset& found = find_preset(name);
  return {.model = found.config, .batch = found.batch};
}

}  // namespace plumbline::inline v0
