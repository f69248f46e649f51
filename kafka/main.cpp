// The program behind `plumbline kafka` and `plumbline run kafka://…`.

#include <csignal>
#include <exception>
#include <memory>

#include "cli/options/kafka_options.h"
#include "cli/output/descriptor.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/help.h"
#include "cli/shell/interrupt.h"
#include "cli/shell/program.h"
#include "kafka/runner.h"
#include "plumbline/error.h"
#include "plumbline/io/source.h"

namespace plumbline::kafka {
namespace {

int run_program(int argc, char** argv) {
  cli::reserve_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const auto options = std::make_shared<cli::KafkaOptions>();
  cli::Verb program{.name = "plumbline",
                    .summary = "Streaming probabilities that mean what they say."};
  program.verbs.push_back(cli::kafka_verb(options));
  program.verbs.back().run = [options](const cli::CommandLine& line) { run(*options, line); };
  cli::add_help_option(program);
  cli::Words words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "kafka") words.insert(words.begin(), "kafka");
  try {
    return cli::run_program(program, "plumbline", words);
  } catch (const Error& error) {
    cli::say("{}", cli::in_words(error));
    return exit_code(error.kind());
  } catch (const Interrupted&) {
    return cli::interrupt_exit_code();
  } catch (const cli::ClosedPipe&) {
    return 0;  // the reader of the output has stopped
  } catch (const std::exception& error) {
    cli::say("internal error: {}", error.what());
    return 70;  // EX_SOFTWARE
  }
}

}  // namespace
}  // namespace plumbline::kafka

int main(int argc, char** argv) { return plumbline::kafka::run_program(argc, argv); }
