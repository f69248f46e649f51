#include "cli/output/output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/output/descriptor.h"
#include "plumbline/error.h"

namespace plumbline::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

Output::Output(const std::string& path, Mode mode)
    : name_(path == "-" ? "standard output" : path),
      descriptor_(STDOUT_FILENO),
      owned_(path != "-") {
  const int how = mode == Mode::append ? O_APPEND : O_TRUNC;
  if (owned_) descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
  if (descriptor_ < 0) refuse(errno);
}

Output::~Output() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

void Output::refuse(int error, const std::string& consequence) const {
  if (error == EPIPE) throw ClosedPipe{};
  throw Error(ErrorKind::io,
              fmt::format("cannot write to '{}': {}{}", name_, std::strerror(error), consequence));
}

void Output::give_up(std::size_t written, int error) {
  const std::string_view there = std::string_view(buffer_).substr(0, written);
  const std::size_t whole = there.rfind('\n') + 1;  // 0 if there is none
  lines_ += count_lines(there);
  const off_t end = owned_ ? ::lseek(descriptor_, 0, SEEK_CUR) : -1;
  if (end >= 0 && ::ftruncate(descriptor_, end - static_cast<off_t>(written - whole)) == 0) {
    ::lseek(descriptor_, 0, SEEK_END);
  }
  buffer_.clear();
  refuse(error, fmt::format("; {} lines were written", lines_));
}

void Output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  const Written written = write_all(descriptor_, buffer_);
  if (written.error != 0) give_up(written.bytes, written.error);
  lines_ += count_lines(buffer_);
  buffer_.clear();
}

void Output::close() {
  flush();
  if (!owned_) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) refuse(errno);
}

void print(std::string_view text) {
  Output output("-");
  output.write(text);
  output.close();
}

}  // namespace plumbline::cli
