#include "cli/output/messages.h"

#include <atomic>
#include <cerrno>

#include <unistd.h>

#include "cli/output/descriptor.h"

namespace plumbline::cli {

void show(std::string_view text) noexcept {
  // Once a reader has not taken a message in time, the next ones do not wait for it again.
  static std::atomic<bool> stuck{false};
  if (!stuck && write_all(STDERR_FILENO, text).error == ETIMEDOUT) stuck = true;
}

}  // namespace plumbline::cli
