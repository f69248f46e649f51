// A program with every kind of verb, option and value that the tool's verbs may have, to see what
// its completion scripts and its manual page make of them. Run by shell_test.py.

#include <string>
#include <vector>

#include "cli/shell/usage.h"
#include "cli/shell/values.h"
#include "cli/verbs/verbs.h"

int main(int argc, char** argv) {
  namespace cli = plumbline::cli;
  CLI::App program("A sample of everything.", "sample");
  program.require_subcommand(1);
  std::string text;
  std::vector<std::string> many;
  double number = 0.5;
  bool flag = false;

  CLI::App* run = program.add_subcommand("run", "Don't \"quote\" [this]: `it` \\ costs $1 … ± 5 %");
  run->add_option("data", many, "Files of data")->required()->check(CLI::ExistingFile);
  cli::offer_values(run->add_option("--learner", text, "Who learns: 'a' [b]"),
                    {"logistic", "linear_svm"});
  run->add_option("--format", text, ".leading dot")->check(CLI::IsMember({"csv", "json"}));
  run->add_option("-m,--model", text, "A file")->type_name("FILE");
  run->add_option("--save", text, "A model")->type_name("MODEL");
  run->add_option("--folder", text, "A folder")->type_name("DIR");
  run->add_option("--column", text, "A name that nobody knows")->type_name("NAME");
  run->add_option("--rate", number, "A number")->capture_default_str()->envname("SAMPLE_RATE");
  run->add_flag("-q,--quiet", flag, "Say nothing");
  run->add_option("--secret", text, "Hidden")->group("");
  run->add_option_group("More")
      ->add_option("--in-group", number, "Of a group")
      ->check(CLI::PositiveNumber);
  run->footer(
      "Examples:\n  sample run data.csv | head\nNotes:\n  .a line that begins with a dot\n");

  CLI::App* store = program.add_subcommand("store", "Verbs below a verb");
  store->require_subcommand(1);
  store->add_subcommand("list", "List them")->add_flag("--long-list", flag, "More of them");
  CLI::App* get = store->add_subcommand("get", "Get one")->alias("fetch");
  cli::offer_values(get->add_option("name", text, "Which one"), {"forest", "weather"});

  cli::add_completions(program);
  cli::add_man(program);
  cli::add_help(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli::answer(program, error);
  }
  return 0;
}
