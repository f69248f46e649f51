#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "cli/output/descriptor.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/interrupt.h"
#include "cli/shell/program.h"
#include "cli/verbs/verbs.h"
#include "plumbline/error.h"
#include "plumbline/io/source.h"

namespace plumbline::cli {
namespace {

constexpr int kInternalError = 70;  // EX_SOFTWARE

}  // namespace

int run_tool(int argc, char** argv) {
  reserve_standard_descriptors();
  // A closed pipe and a file that is too large are reported by the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const Words words(argv, argv + argc);
    const std::string called_by = words.empty() ? "plumbline" : words[0];
    return run_program(
        plumbline_program(), called_by,
        with_kafka_verb(Words(words.begin() + (words.empty() ? 0 : 1), words.end())));
  } catch (const Error& error) {
    say("{}", in_words(error));
    return exit_code(error.kind());
  } catch (const Interrupted&) {
    return interrupt_exit_code();
  } catch (const ClosedPipe&) {
    return 0;  // the reader of the output has stopped
  } catch (const std::bad_alloc&) {
    say("there is not enough memory");
    return exit_code(ErrorKind::io);
  } catch (const std::system_error& error) {
    say("system error: {}", error.what());
    return exit_code(ErrorKind::io);
  } catch (const std::exception& error) {
    say("internal error: {}", error.what());
    return kInternalError;
  }
}

}  // namespace plumbline::cli
