#include "cli/verbs/verbs.h"

#include "cli/shell/complete.h"
#include "cli/shell/completions.h"
#include "cli/shell/help.h"
#include "cli/shell/man.h"
#include "cli/shell/version.h"

namespace plumbline::cli {

Verb plumbline_program() {
  Verb program{.name = "plumbline",
               .summary = "Streaming probabilities that mean what they say.",
               .options = {{.names = {"--version"},
                            .help = "Print the version and exit",
                            .answer = [](const VerbPath&) { return version_text(); }}}};
  for (const auto make :
       {run_verb, predict_verb, calibrate_verb, compare_verb, serve_verb, kafka_verb, paper_verb,
        inspect_verb, config_verb, datasets_verb, generate_verb, demo_verb, completions_verb,
        man_verb, help_verb, complete_verb}) {
    program.verbs.push_back(make());
  }
  add_help_option(program);
  return program;
}

}  // namespace plumbline::cli
