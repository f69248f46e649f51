// `plumbline config`: a full, commented configuration to begin with.

#include <memory>

#include "cli/options/model_options.h"
#include "cli/options/toml.h"
#include "cli/output/output.h"
#include "cli/verbs/verbs.h"

namespace plumbline::cli {

void add_config(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "config", "Print the full configuration, with the meaning of every option, as TOML");
  const auto options = std::make_shared<ModelOptions>();
  const auto json = std::make_shared<bool>(false);
  add_model_options(*verb, *options);
  verb->add_flag("--json", *json, "Print it as one JSON object, without the meanings");
  verb->footer(
      list_of_components() +
      "Examples:\n"
      "  plumbline config > plumbline.toml && plumbline run a.csv --config plumbline.toml\n"
      "  plumbline config --learner logistic --policy thompson\n");
  verb->callback([options, json] {
    const Config config = make_config(*options);
    print(*json ? to_json(config) + "\n" : to_toml(config));
  });
}

}  // namespace plumbline::cli
