#include "plumbline/io/csv.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "plumbline/base/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/separators.h"
#include "plumbline/io/text.h"

namespace plumbline {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMaxRow = std::size_t{1} << 26;  // 64 MiB: an unclosed quote, not a row
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The character that splits the row into most fields, outside of quotes. At a tie commas come last:
// they may be decimal.
char find_delimiter(std::string_view row) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {';', '\t', '|', ','}) {
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

// Whether the first row names the columns: half of it are names that are known; or a text stands over
// a number and no number among the texts; or it holds no number at all. What is missing says nothing.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string>* second,
               const std::vector<std::string>& names) {
  std::size_t numbers = 0, known = 0;
  bool over_a_number = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (std::find(names.begin(), names.end(), std::string(trimmed(first[j]))) != names.end())
      ++known;
    if (parse_number(first[j])) {
      ++numbers;
    } else if (!is_missing(first[j]) && second != nullptr && j < second->size()) {
      over_a_number = over_a_number || parse_number((*second)[j]).has_value();
    }
  }
  if (!names.empty() && 2 * known >= first.size()) return true;
  return numbers == 0 || (over_a_number && 2 * numbers <= first.size());
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<Source> source, std::string name, const CsvOptions& options)
    : Stream(std::move(name)), source_(std::move(source)), buffer_(kChunk) {
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
  const std::string_view first = unread().substr(0, unread().find('\n'));
  if (first.substr(0, first.size() - (first.ends_with('\r') ? 1 : 0)).find('\r') !=
      std::string_view::npos) {
    line_ = next_line_;
    refuse("the lines end with CR alone; convert the file, e.g. with tr '\\r' '\\n'");
  }
  delimiter_ = options.delimiter.value_or(find_delimiter(unread().substr(0, unread().find('\n'))));

  const std::size_t needed = options.header || !options.names.empty() ? 1 : 2;
  decimal_comma_ = delimiter_ != ',';
  while (held_.size() < needed && read_row()) {
    held_.push_back({{fields_.begin(), fields_.end()}, line_});
  }
  const std::vector<std::string>* second = held_.size() > 1 ? &held_[1].fields : nullptr;
  has_names_ = options.header.value_or(is_header(held_[0].fields, second, options.names));
  if (has_names_) {
    for (std::size_t j = 0; j < held_[0].fields.size(); ++j) {
      const std::string_view title = trimmed(held_[0].fields[j]);
      columns_.push_back({.name = title.empty() ? fmt::format("x{}", j + 1) : std::string(title)});
    }
    line_ = held_[0].line;
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
  if (too_long_) skip_line();
  while (begin_ < end_ || refill()) {
    line_ = next_line_;
    if (read_plain_row()) return true;
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

bool CsvReader::read_plain_row() {
  fields_.resize(columns_.size());
  std::string_view* field = fields_.data();
  std::string_view* const last = field + fields_.size();
  const char* at = buffer_.data() + begin_;
  const char* const stop = buffer_.data() + end_;
  const char* start = at;  // of the field
  for (; stop - at >= std::ptrdiff_t{Separators::kBytes}; at += Separators::kBytes) {
    const auto [delimiters, others] = find_separators(at, delimiter_);
    // The delimiters before the first of the others, if there are any.
    std::uint64_t ends = delimiters & ((others & -others) - 1);
    for (; ends != 0 && field != last; ends &= ends - 1) {
      const char* const end = at + std::countr_zero(ends);
      *field++ = {start, static_cast<std::size_t>(end - start)};
      start = end + 1;
    }
    if (others == 0) continue;
    const char* const end = at + std::countr_zero(others);
    const char* const text_end = end != start && end[-1] == '\r' ? end - 1 : end;
    if (*end != '\n' || last - field != 1 || text_end == buffer_.data() + begin_) return false;
    *field = {start, static_cast<std::size_t>(text_end - start)};
    begin_ = static_cast<std::size_t>(end + 1 - buffer_.data());
    ++next_line_;
    return true;
  }
  return false;
}

void CsvReader::skip_line() {
  while (too_long_ && (begin_ < end_ || refill())) {
    const char* const begin = buffer_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', end_ - begin_));
    begin_ = newline == nullptr ? end_ : static_cast<std::size_t>(newline - buffer_.data()) + 1;
    next_line_ += newline == nullptr ? 0 : 1;
    too_long_ = newline == nullptr;
  }
}

void CsvReader::split(std::size_t begin, std::size_t end) {
  fields_.clear();
  char* at = buffer_.data() + begin;
  char* const stop = buffer_.data() + end;
  for (;;) {
    char* quote = at;  // there may be blanks before it
    while (quote != stop && *quote == ' ' && *quote != delimiter_) ++quote;
    if (quote != stop && *quote == '"') {
      at = unquote(quote, stop);
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
      next_line_ += static_cast<std::size_t>(
          std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(end_), '\n'));
      begin_ = end_;
      too_long_ = true;
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
  RowScan scan;  // goes on where it was when more data comes: nothing is looked at twice
  for (;;) {
    const std::optional<std::size_t> end = row_end_in_buffer(scan);
    if (end) return *end;
    if (!refill()) return end_;
  }
}

std::optional<std::size_t> CsvReader::row_end_in_buffer(RowScan& scan) const {
  // A quote opens at the start of a field only; inside, line breaks and delimiters are text.
  std::size_t i = begin_ + scan.length;
  for (; i < end_; ++i) {
    const char c = buffer_[i];
    if (scan.quoted) {
      const void* const quote = std::memchr(buffer_.data() + i, '"', end_ - i);
      i = quote == nullptr
              ? end_
              : static_cast<std::size_t>(static_cast<const char*>(quote) - buffer_.data());
      if (i == end_) break;
      if (i + 1 == end_ && !at_end_) break;  // it may be doubled: look again with what comes
      if (i + 1 < end_ && buffer_[i + 1] == '"') {
        ++i;
      } else {
        scan.quoted = false;
      }
      scan.at_start = false;
    } else if (c == '\n') {
      return i;
    } else {
      scan.quoted = c == '"' && scan.at_start;
      scan.at_start = c == delimiter_ || (c == ' ' && scan.at_start);
    }
  }
  scan.length = i - begin_;
  return std::nullopt;
}

}  // namespace plumbline
