#include "cli/output.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "plumbline/core/error.h"

namespace plumbline::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

Output::Output(const std::string& path)
    : name_(path == "-" ? "standard output" : path),
      descriptor_(STDOUT_FILENO),
      owned_(path != "-") {
  if (owned_) descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse();
}

Output::~Output() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

void Output::refuse() const {
  if (errno == EPIPE) throw ClosedPipe{};
  throw Error(ErrorKind::io, fmt::format("cannot write to '{}': {}", name_, std::strerror(errno)));
}

void Output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t put = ::write(descriptor_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      buffer_.clear();
      refuse();
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
}

void Output::close() {
  flush();
  if (!owned_) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) refuse();
}

void print(std::string_view text) {
  Output output("-");
  output.write(text);
  output.close();
}

}  // namespace plumbline::cli
