#include "plumbline/io/lines.h"

#include <cstring>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

Lines::Lines(std::unique_ptr<Source> source, std::string name)
    : buffer_(std::move(source)), name_(std::move(name)) {}

bool Lines::next() {
  buffer_.skip_abandoned();
  const char* newline = nullptr;
  for (std::size_t searched = 0;;) {
    newline = static_cast<const char*>(
        std::memchr(buffer_.begin() + searched, '\n', buffer_.size() - searched));
    if (newline != nullptr) break;
    searched = buffer_.size();
    if (!refill()) break;
  }
  if (buffer_.empty()) return false;
  ++number_;
  const char* const begin = buffer_.begin();
  const char* const end = newline != nullptr ? newline : buffer_.end();
  text_ = {begin, static_cast<std::size_t>(end - begin)};
  if (text_.ends_with('\r')) text_.remove_suffix(1);
  buffer_.read_up_to(newline != nullptr ? end + 1 : end);
  return true;
}

bool Lines::refill() {
  if (buffer_.refill()) return true;
  if (buffer_.at_end()) return false;
  buffer_.abandon_line();
  throw Error(ErrorKind::data, "the line is longer than 64 MiB; is this a text file?",
              {.source = name_, .line = ++number_});
}

}  // namespace plumbline::inline v0
