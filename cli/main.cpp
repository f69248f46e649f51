#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "cli/verbs.h"
#include "plumbline/core/error.h"
#include "plumbline/streams/source.h"

namespace {

constexpr int kInternalError = 70;  // EX_SOFTWARE: our own fault, not the user's

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Streaming probabilities that mean what they say.", "plumbline");
  program.set_version_flag("--version", plumbline::cli::version_text);
  program.formatter(std::make_shared<plumbline::cli::HelpFormatter>());
  program.group("Verbs");
  program.require_subcommand(1);
  plumbline::cli::add_run(program);
  plumbline::cli::add_predict(program);
  plumbline::cli::add_compare(program);
  plumbline::cli::add_paper(program);
  plumbline::cli::add_inspect(program);
  plumbline::cli::add_config(program);
  plumbline::cli::add_datasets(program);
  plumbline::cli::add_generate(program);
  plumbline::cli::add_demo(program);
  // A closed pipe and a file that is too large are told by the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // These tell of the others, so they come last.
  plumbline::cli::add_completions(program);
  plumbline::cli::add_man(program);
  plumbline::cli::add_help(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return plumbline::cli::answer(program, error);
  } catch (const plumbline::Error& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::exit_code(error.kind());
  } catch (const plumbline::Interrupted&) {
    return plumbline::cli::interrupt_exit_code();
  } catch (const plumbline::cli::ClosedPipe&) {
    return 0;  // whoever read our output has seen enough
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: internal error: {}\n", error.what());
    return kInternalError;
  }
  return 0;
}
