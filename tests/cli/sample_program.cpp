// A program with every kind of verb, option and value that the tool's verbs may have, to see what completion, help
// and the manual page make of them. Run by shell_test.py.

#include <string>

#include "cli/options/command_line.h"
#include "cli/options/value.h"
#include "cli/shell/complete.h"
#include "cli/shell/completions.h"
#include "cli/shell/help.h"
#include "cli/shell/man.h"
#include "cli/shell/program.h"

namespace {

using namespace plumbline::cli;

struct SampleOptions {
  std::string text;
  Words many;
  double number = 0.5;
  bool flag = false;
};

std::vector<Option> run_options(SampleOptions& options) {
  return {{.names = {"--learner"},
           .metavar = "SPEC",
           .help = "Who learns: 'a' [b]",
           .offers = [](std::string_view) -> Words {
             return {"logistic", "linear_svm"};
           },
           .value = text(options.text)},
          {.names = {"--format"},
           .metavar = "FORMAT",
           .help = ".leading dot",
           .choices = {"csv", "json"},
           .value = text(options.text)},
          {.names = {"-m", "--model"},
           .metavar = "FILE",
           .help = "A file",
           .completion = Completion::files,
           .value = path(options.text)},
          {.names = {"--folder"},
           .metavar = "DIR",
           .help = "A folder",
           .completion = Completion::folders,
           .value = text(options.text)},
          {.names = {"--column"},
           .metavar = "NAME",
           .help = "A name without completions",
           .value = text(options.text)},
          {.names = {"--rate"},
           .metavar = "RATE",
           .help = "A number",
           .fallback = "0.5",
           .needs = {"--model"},
           .excludes = {"--quiet"},
           .value = number(options.number, plumbline::Range::above(0))},
          {.names = {"-q", "--quiet"}, .help = "Say nothing", .value = flag(options.flag)},
          {.names = {"--secret"},
           .metavar = "TEXT",
           .help = "Hidden",
           .hidden = true,
           .value = text(options.text)}};
}

Verb run_verb(SampleOptions& options) {
  Verb verb{.name = "run",
            .summary = "Don't \"quote\" [this]: `it` \\ costs $1 … ± 5 %",
            .positionals = {{.names = {"data"},
                             .help = "Files of data",
                             .completion = Completion::files,
                             .required = true,
                             .value = texts(options.many)}},
            .options = run_options(options),
            .notes = "Notes:\n  .a line that begins with a dot\n",
            .examples = {"sample run data.csv | head"},
            .run = [](const CommandLine&) {}};
  add_options(verb, "More",
              {{.names = {"--in-group"},
                .metavar = "NAME",
                .help = "Of a group",
                .choices = {"one", "two"},
                .value = texts(options.many, ',')}});
  return verb;
}

Verb store_verb(SampleOptions& options) {
  return {.name = "store",
          .summary = "Verbs below a verb",
          .verbs = {{.name = "list",
                     .summary = "List them",
                     .options = {{.names = {"--long-list"},
                                  .help = "More of them",
                                  .value = flag(options.flag)}},
                     .run = [](const CommandLine&) {}},
                    {.name = "get",
                     .summary = "Get one",
                     .positionals = {{.names = {"name"},
                                      .help = "Which one",
                                      .choices = {"forest", "weather"},
                                      .value = text(options.text)}},
                     .run = [](const CommandLine&) {}}}};
}

}  // namespace

int main(int argc, char** argv) {
  SampleOptions options;
  Verb program{.name = "sample",
               .summary = "A sample of everything.",
               .verbs = {run_verb(options), store_verb(options), completions_verb(), man_verb(),
                         help_verb(), complete_verb()}};
  add_help_option(program);
  return run_program(program, argv[0], Words(argv + 1, argv + argc));
}
