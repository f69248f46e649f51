#include "plumbline/io/lines.h"

#include <cstring>

#include "plumbline/base/error.h"

namespace plumbline {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMaxLine = std::size_t{1} << 26;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

Lines::Lines(std::unique_ptr<Source> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(kChunk) {
  while (end_ < kByteOrderMark.size() && refill()) {
  }
  if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) {
    begin_ = kByteOrderMark.size();
  }
}

bool Lines::next() {
  if (too_long_) skip_line();
  const char* newline = nullptr;
  for (std::size_t searched = 0;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
    if (newline != nullptr) break;
    searched = end_ - begin_;
    if (!refill()) break;
  }
  if (begin_ == end_) return false;
  ++number_;
  const char* const begin = buffer_.data() + begin_;
  const char* const end = newline != nullptr ? newline : buffer_.data() + end_;
  text_ = {begin, static_cast<std::size_t>(end - begin)};
  if (text_.ends_with('\r')) text_.remove_suffix(1);
  begin_ = static_cast<std::size_t>(end - buffer_.data()) + (newline != nullptr ? 1 : 0);
  return true;
}

void Lines::skip_line() {
  while (too_long_ && (begin_ < end_ || refill())) {
    const char* const begin = buffer_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', end_ - begin_));
    begin_ = newline == nullptr ? end_ : static_cast<std::size_t>(newline - buffer_.data()) + 1;
    too_long_ = newline == nullptr;
  }
}

bool Lines::refill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kMaxLine) {
      begin_ = end_;
      too_long_ = true;
      throw Error(ErrorKind::data, "the line is longer than 64 MiB; is this a text file?",
                  {.source = name_, .line = ++number_});
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

}  // namespace plumbline
