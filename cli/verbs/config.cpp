// `plumbline config`: prints a full, commented configuration.

#include <memory>

#include "cli/options/components.h"
#include "cli/options/model_options.h"
#include "cli/options/toml.h"
#include "cli/options/value.h"
#include "cli/output/output.h"
#include "cli/verbs/verbs.h"

namespace plumbline::cli {
namespace {

struct ConfigOptions {
  ModelOptions model;
  bool json = false;
};

}  // namespace

Verb config_verb() {
  const auto options = std::make_shared<ConfigOptions>();
  Verb verb{.name = "config",
            .summary = "Print the full configuration, with the meaning of every option, as TOML",
            .options = {{.names = {"--json"},
                         .help = "Print it as one JSON object, without the meanings",
                         .value = flag(options->json)}},
            .lists = list_of_components,
            .examples =
                {"plumbline config > plumbline.toml && plumbline run a.csv --config plumbline.toml",
                 "plumbline config --learner logistic --policy thompson"},
            .run = [options](const CommandLine&) {
              const Config config = make_config(options->model);
              print(options->json ? to_json(config) + "\n" : to_toml(config));
            }};
  add_model_options(verb, options->model);
  return verb;
}

}  // namespace plumbline::cli
