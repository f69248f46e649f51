#include "plumbline/streams/csv.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "plumbline/core/error.h"

namespace plumbline {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMaxRow = std::size_t{1} << 26;  // 64 MiB: an unclosed quote, not a row
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The character that splits the row into most fields; outside of quotes, commas first.
char find_delimiter(std::string_view row) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t', '|'}) {
    std::ptrdiff_t count = 0;
    bool quoted = false;
    for (const char c : row) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) ++count;
    }
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

// A first row is a header if one of its texts stands over a number, or if it holds no number at all.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string>* second) {
  bool any_number = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const bool number = parse_number(first[j]).has_value();
    any_number = any_number || number;
    if (!number && second != nullptr && j < second->size() && parse_number((*second)[j]))
      return true;
  }
  return !any_number;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

CsvReader::CsvReader(std::unique_ptr<Source> source, std::string name, const CsvOptions& options)
    : Reader(std::move(name)), source_(std::move(source)), buffer_(kChunk) {
  while (end_ < kByteOrderMark.size() && refill()) {
  }
  if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) {
    begin_ = kByteOrderMark.size();
  }
  find_dialect(options);
}

void CsvReader::find_dialect(const CsvOptions& options) {
  // Blank lines first: the delimiter is found in the first line that says something.
  while (begin_ < end_ || refill()) {
    if (buffer_[begin_] != '\n' && buffer_[begin_] != '\r') break;
    next_line_ += buffer_[begin_++] == '\n' ? 1 : 0;
  }
  const auto unread = [&] { return std::string_view(buffer_.data() + begin_, end_ - begin_); };
  while (unread().find('\n') == std::string_view::npos && refill()) {
  }
  if (unread().empty()) refuse("there is no data in it");
  delimiter_ = options.delimiter.value_or(find_delimiter(unread().substr(0, unread().find('\n'))));

  const std::size_t needed = options.header ? 1 : 2;
  while (held_.size() < needed && read_row()) {
    held_.push_back({{fields_.begin(), fields_.end()}, line_});
  }
  const std::vector<std::string>* second = held_.size() > 1 ? &held_[1].fields : nullptr;
  has_header_ = options.header.value_or(is_header(held_[0].fields, second));
  if (has_header_) {
    for (std::string& title : held_[0].fields) columns_.push_back({.name = std::move(title)});
    held_.erase(held_.begin());
  } else {
    for (std::size_t j = 1; j <= held_[0].fields.size(); ++j) {
      columns_.push_back({.name = fmt::format("x{}", j)});
    }
  }
}

bool CsvReader::next() {
  if (!held_.empty()) {
    current_ = std::move(held_.front());
    held_.erase(held_.begin());
    fields_.assign(current_.fields.begin(), current_.fields.end());
    line_ = current_.line;
  } else if (!read_row()) {
    return false;
  }
  if (fields_.size() != columns_.size()) {
    refuse(
        fmt::format("the row has {} fields, but {} are expected", fields_.size(), columns_.size()));
  }
  row_.fields = fields_;
  return true;
}

bool CsvReader::read_row() {
  while (begin_ < end_ || refill()) {
    line_ = next_line_;
    const std::size_t end = find_row_end();  // may move the unread part
    const std::size_t begin = begin_;
    begin_ = std::min(end + 1, end_);
    const auto row = std::string_view(buffer_.data() + begin, begin_ - begin);
    next_line_ += static_cast<std::size_t>(std::count(row.begin(), row.end(), '\n'));
    const std::size_t text_end = end > begin && buffer_[end - 1] == '\r' ? end - 1 : end;
    if (text_end == begin) continue;  // a blank line
    split(begin, text_end);
    return true;
  }
  return false;
}

void CsvReader::split(std::size_t begin, std::size_t end) {
  fields_.clear();
  char* at = buffer_.data() + begin;
  char* const stop = buffer_.data() + end;
  for (;;) {
    if (at != stop && *at == '"') {
      at = unquote(at, stop);
    } else {
      char* const start = at;
      while (at != stop && *at != delimiter_) ++at;
      fields_.emplace_back(start, static_cast<std::size_t>(at - start));
    }
    if (at == stop) return;
    ++at;  // the delimiter
  }
}

// Adds the field that a quote opens, its text moved together in place; returns where it ends.
char* CsvReader::unquote(char* from, char* end) {
  char* const start = from;
  char* out = start;
  bool quoted = false;
  for (; from != end && (quoted || *from != delimiter_); ++from) {
    if (*from != '"') {
      *out++ = *from;
    } else if (quoted && from + 1 != end && from[1] == '"') {
      *out++ = *from++;
    } else {
      quoted = !quoted && from == start;
    }
  }
  if (quoted) refuse("a quote is not closed");
  fields_.emplace_back(start, static_cast<std::size_t>(out - start));
  return from;
}

bool CsvReader::refill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kMaxRow) {
      refuse("the row is longer than 64 MiB; is a quote not closed?");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

std::size_t CsvReader::find_row_end() {
  for (;;) {
    const std::optional<std::size_t> end = row_end_in_buffer();
    if (end) return *end;
    if (!refill()) return end_;
  }
}

std::optional<std::size_t> CsvReader::row_end_in_buffer() const {
  const char* const begin = buffer_.data() + begin_;
  const auto size = end_ - begin_;
  const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', size));
  const std::size_t first_line =
      newline == nullptr ? size : static_cast<std::size_t>(newline - begin);
  if (std::memchr(begin, '"', first_line) == nullptr) {
    if (newline == nullptr) return std::nullopt;
    return begin_ + first_line;
  }
  // A quote opens at the start of a field only; inside, line breaks and delimiters are text.
  bool quoted = false, at_start = true;
  for (std::size_t i = begin_; i < end_; ++i) {
    const char c = buffer_[i];
    if (quoted) {
      if (c != '"') continue;
      if (i + 1 == end_ && !at_end_) return std::nullopt;  // is it doubled?
      if (i + 1 < end_ && buffer_[i + 1] == '"') {
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '\n') {
      return i;
    } else {
      quoted = c == '"' && at_start;
    }
    at_start = !quoted && c == delimiter_;
  }
  return std::nullopt;
}

}  // namespace plumbline
