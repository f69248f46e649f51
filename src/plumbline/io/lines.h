// The lines of a source, one after the other, in constant memory: what the line-based formats
// (ARFF, LibSVM, VW) are read from.
//
// Lines end with LF or CRLF, the last one perhaps with neither; a byte order mark at the beginning
// is left out. A line of more than 64 MiB is refused; the one after it is next then.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/source.h"

namespace plumbline {

class Lines {
 public:
  // `name` stands in messages.
  Lines(std::unique_ptr<Source> source, std::string name);

  // False at the end. The text is valid, and may be changed, until the next call.
  bool next();
  std::string_view text() const { return text_; }
  std::size_t number() const { return number_; }  // of the line, from 1
  std::optional<double> share_read() const { return source_->share_read(); }

 private:
  bool refill();
  // What is left of a line that was refused.
  void skip_line();

  std::unique_ptr<Source> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part
  bool at_end_ = false;
  bool too_long_ = false;  // the unread part begins within a line that was refused
  std::string_view text_;
  std::size_t number_ = 0;
};

}  // namespace plumbline
