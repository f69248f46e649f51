// The options of every verb that makes a model. Later settings override earlier ones: the preset, then
// the configuration file, then the options of the command line, then --set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/verb.h"
#include "plumbline/config.h"

namespace plumbline::cli {

struct ModelOptions {
  std::string preset;  // auto if empty
  std::string config_file;
  std::string learner, score, calibrator, policy, reward, multiclass;
  std::vector<std::string> companions;
  std::vector<std::string> actions;
  std::optional<std::int64_t> learners;
  std::optional<std::int64_t> batch, label_delay;
  std::optional<double> learn_budget;
  std::optional<std::int64_t> learn_burst;
  std::optional<double> label_budget;
  std::string label_choice;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> settings;

  // True if any of them was given.
  bool any() const;
};

void add_model_options(Verb& verb, ModelOptions& options);
// Adds the options that `compare` does not vary.
void add_shared_model_options(Verb& verb, ModelOptions& options);

// Throws a configuration error that names the option or the file.
Config make_config(const ModelOptions& options);

// ", labels 100 rows later": how late labels come; empty if at once.
std::string delay_text(const Config& config);
// ", learn budget 0.2, label budget 0.1": empty if all minibatches may be trained and all labels asked for.
std::string budget_text(const Config& config);
// "10 x gaussian_nb + 3 x logistic_adaptive": the ensemble and its companions.
std::string learners_text(const ModelConfig& config);

}  // namespace plumbline::cli
