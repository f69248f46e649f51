// The lines of a source, one after the other, in constant memory: the line-based formats (ARFF,
// LibSVM, VW) are read from them.
//
// Lines end with LF or CRLF, the last one perhaps with neither. A line of more than 64 MiB is
// refused; the one after it is next then.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "plumbline/io/line_buffer.h"

namespace plumbline::inline v0 {

class Lines {
 public:
  // `name` appears in messages.
  Lines(std::unique_ptr<Source> source, std::string name);

  // False at the end. The text is valid, and may be changed, until the next call.
  bool next();
  std::string_view text() const { return text_; }
  std::size_t number() const { return number_; }  // of the line, from 1
  std::optional<double> share_read() const { return buffer_.share_read(); }

 private:
  bool refill();

  LineBuffer buffer_;
  std::string name_;
  std::string_view text_;
  std::size_t number_ = 0;
};

}  // namespace plumbline::inline v0
