#include "paper/reading.h"

#include <array>

#include "plumbline/json/json.h"

namespace plumbline::paper {

DataSet data_set_of(const Reading& reading, const std::string& name) {
  DataSet set = data_set(name);
  const auto other = reading.negative.find(name);
  if (other != reading.negative.end()) set.negative = other->second;
  if (reading.batch != 0) set.batch = reading.batch;
  return set;
}

TaskOptions task_options_of(const Reading& reading, const Table& table) {
  const bool linear = table.spec.name != "gaussian_nb";
  return {.balance = reading.balance,
          .standardise = reading.standardise == Standardise::all ||
                         (reading.standardise == Standardise::linear && linear)};
}

ModelConfig config_of(const Reading& reading, const Table& table, const PolicyRow& policy) {
  ModelConfig config = reading.model;
  if (config.learner.name == table.spec.name) {
    for (const auto& [option, value] : table.spec.options) config.learner.set(option, value);
  } else {
    config.learner = table.spec;
  }
  if (table.l1_lambda) config.learner.set("l1_memory", reading.l1_memory);
  if (!reading.companions) config.companions.clear();
  config.ensemble.size = table.size;
  config.policy = policy.spec;
  if (policy.spec.name == "fixed") config.policy.set("from", reading.fixed_from);
  // Otherwise its scores would not be uncalibrated.
  if (policy.spec.name == "always_train") config.first_round = FirstRound::train;
  if (policy.spec.name.starts_with("discounted_")) {
    for (const auto& [option, value] : reading.discount) config.policy.set(option, value);
  }
  if (policy.spec.name.starts_with("discounted_ucb1")) {
    config.policy.set("estimate", reading.estimate);
  }
  if (policy.change) policy.change(config);
  return complete(config);
}

std::string reading_json(const Reading& reading) {
  constexpr std::array kBalance{"first", "random"};
  constexpr std::array kStandardise{"none", "linear", "all"};
  const ModelConfig discounted =
      config_of(reading, tables().front(), {"", "", Spec{"discounted_ucb1"}});
  Json json{{"model", parse_json(to_json(reading.model))},
            {"discounted_policy", parse_json(to_json(discounted)).at("policy")},
            {"fixed_from", reading.fixed_from},
            {"l1_memory", reading.l1_memory},
            {"balance", kBalance[static_cast<std::size_t>(reading.balance)]},
            {"standardise", kStandardise[static_cast<std::size_t>(reading.standardise)]}};
  for (const DataSet& set : data_sets()) {
    json["tasks"][set.name] = task_text(data_set_of(reading, set.name));
  }
  return print_json(json);
}

}  // namespace plumbline::paper
