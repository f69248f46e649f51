#include "cli/output/messages.h"

#include <atomic>
#include <cerrno>

#include <unistd.h>

#include "cli/options/words.h"
#include "cli/output/descriptor.h"

namespace plumbline::cli {
namespace {

// "--missing 'oops'", or "--positive VALUE" if the user has to choose the value.
std::string as_option(const Remedy& remedy) {
  const std::string option = fmt::format("--{} ", name_of(remedy.setting));
  if (!remedy.value.empty()) return option + shell_word(remedy.value);
  return option + (remedy.setting == Setting::label       ? "COLUMN"
                   : remedy.setting == Setting::delimiter ? "CHAR"
                                                          : "VALUE");
}

}  // namespace

std::string in_words(const Error& error) {
  return error.sentence() + advice(error.remedies(), as_option);
}

std::string in_words(const Note& note) { return note.text + advice(note.remedies, as_option); }

void show(std::string_view text) noexcept {
  // After a message has timed out, the next ones do not wait for the reader again.
  static std::atomic<bool> stuck{false};
  if (!stuck && write_all(STDERR_FILENO, text).error == ETIMEDOUT) stuck = true;
}

}  // namespace plumbline::cli
