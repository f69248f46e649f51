// The options of every verb that makes a model. What is said later counts: the preset, then the
// configuration file, then the options of the command line, then --set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plumbline/model/config.h"

namespace plumbline::cli {

struct ModelOptions {
  std::string preset = "auto";
  const CLI::Option* preset_option = nullptr;
  std::string config_file;
  std::string learner, score, calibrator, policy, reward, multiclass;
  std::vector<std::string> companions;
  std::vector<std::string> actions;
  std::optional<std::int64_t> learners;
  std::optional<std::int64_t> batch;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> settings;

  // Whether any of them was given.
  bool any() const;
};

// `single`: with the options for one component each; else only those that `compare` does not list.
void add_model_options(CLI::App& verb, ModelOptions& options, bool single = true);

// Throws a configuration error that names the option or the file.
Config make_config(const ModelOptions& options);

// "10 x gaussian_nb + 3 x logistic_adaptive": the ensemble and its companions.
std::string learners_text(const ModelConfig& config);

// Items between commas; but commas also separate the options of one component:
// "fixed:every=4,ucb1,logistic:penalty=l1,alpha=0.01" has three items.
std::vector<std::string> split_specs(const std::vector<std::string>& texts);

// The names of all components, for the end of the help.
std::string list_of_components();

}  // namespace plumbline::cli
