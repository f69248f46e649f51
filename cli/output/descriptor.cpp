#include "cli/output/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shell/interrupt.h"

namespace plumbline::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGrace = std::chrono::seconds(5);
constexpr int kLookMilliseconds = 100;  // between two checks of the interrupt flag

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Waits until a write of up to PIPE_BUF bytes will not block; returns false if interrupted.
bool wait_for_room(int descriptor) {
  std::optional<Clock::time_point> deadline;
  pollfd entry{.fd = descriptor, .events = POLLOUT, .revents = 0};
  while (::poll(&entry, 1, kLookMilliseconds) <= 0) {
    if (!interrupted()) continue;
    if (!deadline) deadline = Clock::now() + kGrace;
    if (Clock::now() > *deadline) return false;
  }
  return true;  // errors and hang-ups too: the write reports them
}

}  // namespace

void reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened in the opposite direction, so that using it fails as before. The system assigns the lowest
    // free number, which is `descriptor`.
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Written write_all(int descriptor, std::string_view text) {
  const bool regular = is_regular(descriptor);
  std::size_t done = 0;
  while (done < text.size()) {
    if (!regular && !wait_for_room(descriptor)) return {done, ETIMEDOUT};
    const std::size_t size =
        regular ? text.size() - done : std::min<std::size_t>(text.size() - done, PIPE_BUF);
    const ssize_t put = ::write(descriptor, text.data() + done, size);
    if (put > 0) {
      done += static_cast<std::size_t>(put);
    } else if (put == 0) {
      return {done, EIO};  // should not happen; continuing could loop forever
    } else if (errno != EINTR && errno != EAGAIN) {
      return {done, errno};
    }
  }
  return {done, 0};
}

}  // namespace plumbline::cli
