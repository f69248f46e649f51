// Everything that makes a model, except the schema: what it is built of, and the seed.
//
// Written as JSON it holds every option of every component, and reads back to the same model.
// Reading also takes less: components may be text (`"policy": "fixed:every=4"`), and what is not
// given has its default.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/core/options.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/policies/action.h"

namespace plumbline {

struct ModelConfig {
  Spec learner = "gaussian_nb";
  OnlineBoost::Params ensemble;
  Spec calibrator = "platt";
  Spec policy = "ucb1";
  Spec reward = "log_loss";
  Actions actions = {Action::train, Action::calibrate};
  std::uint64_t seed = 1;
};

// Checks names and options and fills in every default. Throws a configuration error.
ModelConfig complete(const ModelConfig& config);

std::string to_json(const ModelConfig& config);
ModelConfig config_from_json(std::string_view text);

// Configurations by name. `paper` is the most literal reading of the paper.
struct Preset {
  std::string name;
  std::string summary;
  ModelConfig config;
};
const std::vector<Preset>& presets();
const ModelConfig& preset(std::string_view name);

}  // namespace plumbline
