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

namespace {

using namespace plumbline;

constexpr int kInternalError = 70;  // EX_SOFTWARE

}  // namespace

int main(int argc, char** argv) {
  cli::reserve_standard_descriptors();
  // A closed pipe and a file that is too large are reported by the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const cli::Words words(argv, argv + argc);
    const std::string called_by = words.empty() ? "plumbline" : words[0];
    return cli::run_program(cli::plumbline_program(), called_by,
                            cli::Words(words.begin() + (words.empty() ? 0 : 1), words.end()));
  } catch (const Error& error) {
    cli::say("{}", cli::in_words(error));
    return exit_code(error.kind());
  } catch (const Interrupted&) {
    return cli::interrupt_exit_code();
  } catch (const cli::ClosedPipe&) {
    return 0;  // the reader of the output has stopped
  } catch (const std::bad_alloc&) {
    cli::say("there is not enough memory");
    return exit_code(ErrorKind::io);
  } catch (const std::system_error& error) {
    cli::say("system error: {}", error.what());
    return exit_code(ErrorKind::io);
  } catch (const std::exception& error) {
    cli::say("internal error: {}", error.what());
    return kInternalError;
  }
}
