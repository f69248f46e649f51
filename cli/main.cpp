#include <csignal>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "cli/output/descriptor.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/help.h"
#include "cli/shell/interrupt.h"
#include "cli/shell/usage.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/error.h"
#include "plumbline/io/source.h"

namespace {

using namespace plumbline;

constexpr int kInternalError = 70;  // EX_SOFTWARE: our own fault, not the user's

int run(int argc, char** argv) {
  CLI::App program("Streaming probabilities that mean what they say.", "plumbline");
  program.set_version_flag("--version", cli::version_text);
  program.formatter(std::make_shared<cli::HelpFormatter>());
  program.group("Verbs");
  program.require_subcommand(1);
  cli::add_run(program, argv[0]);
  cli::add_predict(program);
  cli::add_compare(program);
  cli::add_paper(program);
  cli::add_inspect(program);
  cli::add_config(program);
  cli::add_datasets(program);
  cli::add_generate(program);
  cli::add_demo(program);
  // These tell of the others, so they come last.
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

}  // namespace

int main(int argc, char** argv) {
  cli::reserve_standard_descriptors();
  // A closed pipe and a file that is too large are told by the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    cli::say("{}", cli::in_words(error));
    return exit_code(error.kind());
  } catch (const Interrupted&) {
    return cli::interrupt_exit_code();
  } catch (const cli::ClosedPipe&) {
    return 0;  // the reader of our output has seen enough
  } catch (const std::bad_alloc&) {
    cli::say("there is not enough memory");
    return exit_code(ErrorKind::io);
  } catch (const std::system_error& error) {
    cli::say("the system refused: {}", error.what());
    return exit_code(ErrorKind::io);
  } catch (const std::exception& error) {
    cli::say("internal error: {}", error.what());
    return kInternalError;
  }
}
