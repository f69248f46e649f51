#include "cli/shell/program.h"

#include <fmt/format.h>

#include "cli/options/command_line.h"
#include "cli/options/parser.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/help.h"
#include "plumbline/error.h"

namespace plumbline::cli {
namespace {

int refuse(const Mistake& mistake) {
  show(fmt::format("{}: {}\nrun '{} --help' for usage\n", mistake.path.front()->name,
                   mistake.sentence, typed(mistake.path)));
  return exit_code(ErrorKind::config);
}

}  // namespace

int run_program(const Verb& program, const std::string& called_by, const Words& words) {
  Parsed parsed = parse(program, words);
  if (parsed.answer != nullptr) {
    print(parsed.answer->answer(parsed.path));
    return 0;
  }
  if (parsed.mistake) return refuse(*parsed.mistake);
  if (!parsed.path.back()->verbs.empty()) {
    show(help_text(parsed.path));
    return exit_code(ErrorKind::config);
  }
  try {
    store(parsed.arguments);
  } catch (const Error& error) {
    return refuse({error.what(), parsed.path});
  }
  const Verb& verb = *parsed.path.back();
  verb.run(CommandLine(called_by, parsed.path, std::move(parsed.arguments)));
  return 0;
}

}  // namespace plumbline::cli
