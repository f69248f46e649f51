#include "plumbline/io/line_buffer.h"

#include <algorithm>
#include <cstring>

#include "plumbline/base/utf8.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMaxLine = std::size_t{1} << 26;

}  // namespace

LineBuffer::LineBuffer(std::unique_ptr<Source> source)
    : source_(std::move(source)), buffer_(kChunk) {
  while (size() < kByteOrderMark.size() && refill()) {
  }
  if (unread().starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
}

bool LineBuffer::refill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), begin(), size());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kMaxLine) return false;
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

std::size_t LineBuffer::abandon_line() {
  const auto breaks = static_cast<std::size_t>(std::count(begin(), begin() + size(), '\n'));
  begin_ = end_;
  abandoned_ = true;
  return breaks;
}

std::size_t LineBuffer::skip_abandoned() {
  std::size_t breaks = 0;
  while (abandoned_ && (!empty() || refill())) {
    const auto* const newline = static_cast<const char*>(std::memchr(begin(), '\n', size()));
    read_up_to(newline == nullptr ? end() : newline + 1);
    abandoned_ = newline == nullptr;
    breaks += abandoned_ ? 0 : 1;
  }
  return breaks;
}

}  // namespace plumbline::inline v0
