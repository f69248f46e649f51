#include "cli/options/toml.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "plumbline/base/file.h"
#include "plumbline/calibrator.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/learner.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::cli {
namespace {

Json to_json(const toml::node& node, const std::string& path) {
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = to_json(value, path);
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const auto& item : *array) json.push_back(to_json(item, path));
    return json;
  }
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<std::string>()) return *value;
  throw Error(ErrorKind::config, "dates and times have no meaning here",
              {.source = path, .line = node.source().begin.line});
}

// The parser and its tables recurse into the parts of a key (a.b.c). Refuses keys with far more parts than any
// option has, which could overflow the stack.
void check_keys(std::string_view text, const std::string& path) {
  constexpr std::ptrdiff_t kMostParts = 32;
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::string_view all = text.substr(0, text.find('\n'));
    const std::string_view key = all.substr(0, all.find_first_of("=#"));
    text.remove_prefix(std::min(all.size() + 1, text.size()));
    const std::ptrdiff_t parts = std::ranges::count(key, '.') + 1;
    if (parts <= kMostParts) continue;
    throw Error(ErrorKind::config,
                fmt::format("the key has {} parts; no option has more than 2", parts),
                {.source = path, .line = line});
  }
}

std::string value_text(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return to_string(value);
}

std::string comment(const OptionInfo& option) {
  return fmt::format("# {} ({})\n", option.help, option.allowed);
}

// The table of a component: its alternatives, then each of its options.
template <class R>
void add_component(std::string& text, const std::string& key, const R& registry, const Spec& spec) {
  text += fmt::format("\n[{}]\n", key);
  for (const auto& row : registry.rows()) text += fmt::format("# {}: {}\n", row.name, row.summary);
  const auto& row = registry.find(spec.name);
  const Spec full = registry.complete(spec);
  text += fmt::format("name = \"{}\"\n", spec.name);
  for (const OptionInfo& option : row.options) {
    for (const auto& [name, value] : full.options) {
      if (name == option.name) {
        text += comment(option) + fmt::format("{} = {}\n", name, value_text(value));
      }
    }
  }
}

template <class Params>
void add_params(std::string& text, const std::string& key, const Params& params) {
  text += fmt::format("\n[{}]\n", key);
  for (const OptionInfo& option : list_params(params)) {
    text += comment(option) + fmt::format("{} = {}\n", option.name, value_text(option.fallback));
  }
}

}  // namespace

Config overlay_toml(const Config& base, const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_keys(text, path);
  try {
    const toml::table table = toml::parse(text);
    return overlay(base, print_json(to_json(table, path)));
  } catch (const toml::parse_error& error) {
    throw Error(
        ErrorKind::config, std::string(error.description()),
        {.source = path, .line = error.source().begin.line, .column = error.source().begin.column});
  } catch (const Error& error) {
    if (!error.where().source.empty()) throw;
    throw Error(error.kind(), error.what(), {.source = path});
  }
}

std::string to_toml(const Config& config) {
  const Config full = complete(config);
  std::vector<std::string> actions, companions;
  for (const Action action : full.model.actions)
    actions.push_back(fmt::format("\"{}\"", name_of(action)));
  for (const Spec& spec : full.model.companions) {
    companions.push_back(fmt::format("\"{}\"", spec.text()));
  }
  // TOML has no integers beyond 2^63.
  const bool long_seed = full.model.seed > std::numeric_limits<std::int64_t>::max();
  const std::string seed =
      long_seed ? fmt::format("\"{}\"", full.model.seed) : std::to_string(full.model.seed);
  std::string text = fmt::format(
      "# A configuration of plumbline: every option, with its meaning and allowed values.\n"
      "# Use it with --config FILE. Options that are left out keep the values of the preset.\n\n"
      "# Seed of the random numbers\nseed = {}\n"
      "# Rows per minibatch\nbatch = {}\n"
      "# Label delay in rows: a row is learned after so many rows that follow it have been "
      "predicted\n"
      "label_delay = {}\n"
      "# Share of minibatches that may be trained, above 0 and at most 1\nlearn_budget = {}\n"
      "# Minibatches that may be trained at first, beyond the learn budget\nlearn_burst = {}\n"
      "# Share of rows whose labels may be asked for, above 0 and at most 1\nlabel_budget = {}\n"
      "# Rows that the label budget is spent on (selective, random)\nlabel_choice = \"{}\"\n"
      "# Actions that the policy chooses from (train, calibrate, both, skip)\nactions = [{}]\n"
      "# First round: train, or also fit the calibrator to the scores after training (train, "
      "train_then_calibrate)\nfirst_round = \"{}\"\n"
      "# Models beside the ensemble, for calibrators of several scores (stack, "
      "cascade)\ncompanions = [{}]\n"
      "# Reduction of several classes to binary models: one-vs-rest or one-vs-one (ovr, ovo)\n"
      "multiclass = \"{}\"\n",
      seed, full.batch, full.label_delay, full.model.learn_budget, full.model.learn_burst,
      full.label_budget, name_of(full.label_choice), fmt::join(actions, ", "),
      name_of(full.model.first_round), fmt::join(companions, ", "), name_of(full.model.multiclass));
  add_component(text, "learner", learners(), full.model.learner);
  add_params(text, "ensemble", full.model.ensemble);
  add_component(text, "calibrator", calibrators(), full.model.calibrator);
  add_component(text, "policy", policies(), full.model.policy);
  add_component(text, "reward", rewards(), full.model.reward);
  add_params(text, "encoder", full.encoder);
  return text;
}

}  // namespace plumbline::cli
