// The unread bytes of a source, for readers that take them line by line in constant memory.
//
// A byte order mark at the beginning is left out. The buffer grows with the longest line, up to
// 64 MiB; what is longer is no line, and can be left behind (`abandon_line`).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "plumbline/io/source.h"

namespace plumbline::inline v0 {

class LineBuffer {
 public:
  explicit LineBuffer(std::unique_ptr<Source> source);

  // The unread bytes, which may be changed; they stay where they are until `refill`.
  char* begin() { return buffer_.data() + begin_; }
  const char* end() const { return buffer_.data() + end_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::string_view unread() const { return {buffer_.data() + begin_, size()}; }

  // The bytes before `next` have been read.
  void read_up_to(const char* next) { begin_ = static_cast<std::size_t>(next - buffer_.data()); }
  // Appends more bytes of the source; false at its end, and if the buffer is full.
  bool refill();
  // The source has ended: a `refill` that was false was not so because the buffer is full.
  bool at_end() const { return at_end_; }
  // Drops the unread bytes, and with the next `skip_abandoned` the rest of the line in which they
  // end. Both return the number of line breaks that were dropped.
  std::size_t abandon_line();
  std::size_t skip_abandoned();

  std::optional<double> share_read() const { return source_->share_read(); }

 private:
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part
  bool at_end_ = false;
  bool abandoned_ = false;  // the unread part begins within a line that was left behind
};

}  // namespace plumbline::inline v0
