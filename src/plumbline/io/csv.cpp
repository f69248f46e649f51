#include "plumbline/io/csv.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include <fmt/format.h>

#include "plumbline/io/number.h"
#include "plumbline/io/separators.h"
#include "plumbline/io/text.h"
#include "plumbline/io/time.h"

namespace plumbline::inline v0 {
namespace {

// Number of occurrences of the character in the row, outside quotes.
std::ptrdiff_t count_outside_quotes(std::string_view row, char wanted) {
  std::ptrdiff_t count = 0;
  bool quoted = false;
  for (const char c : row) {
    if (c == '"') quoted = !quoted;
    if (c == wanted && !quoted) ++count;
  }
  return count;
}

// The character that splits the row into most fields. At a tie commas come last: they may be decimal. Blanks count if
// there is none of the others, unless the whole row is the name of a column that is expected.
char find_delimiter(std::string_view row, const std::vector<std::string>& names) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {';', '\t', '|', ','}) {
    const std::ptrdiff_t count = count_outside_quotes(row, candidate);
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  row = trimmed(row);
  const bool blanks = most == 0 && count_outside_quotes(row, ' ') > 0;
  return blanks && std::ranges::find(names, row) == names.end() ? ' ' : best;
}

// True if the first row names the columns: half of it are known names; or a text stands over
// a number and no number among the texts; or it holds no number at all. What is missing says nothing.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string>* second,
               const std::vector<std::string>& names) {
  const std::unordered_set<std::string_view> among(names.begin(), names.end());
  std::size_t numbers = 0, known = 0;
  bool over_a_number = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (among.contains(trimmed(first[j]))) ++known;
    double time = 0;
    if (parse_number(first[j]) || parse_time(first[j], time)) {
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
    : Stream(std::move(name)), buffer_(std::move(source)) {
  find_dialect(options);
}

void CsvReader::find_dialect(const CsvOptions& options) {
  // Blank lines first: the delimiter is found in the first line that says something.
  while (!buffer_.empty() || refill()) {
    const char c = *buffer_.begin();
    if (c != '\n' && c != '\r') break;
    buffer_.read_up_to(buffer_.begin() + 1);
    next_line_ += c == '\n' ? 1 : 0;
  }
  while (buffer_.unread().find('\n') == std::string_view::npos && refill()) {
  }
  if (buffer_.empty()) refuse("there is no data in it");
  const std::string_view first = buffer_.unread().substr(0, buffer_.unread().find('\n'));
  if (first.substr(0, first.size() - (first.ends_with('\r') ? 1 : 0)).find('\r') !=
      std::string_view::npos) {
    line_ = next_line_;
    refuse("the lines end with CR alone; convert the file, e.g. with tr '\\r' '\\n'");
  }
  delimiter_ = options.delimiter.value_or(find_delimiter(first, options.names));

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
  next_line_ += buffer_.skip_abandoned();
  while (!buffer_.empty() || refill()) {
    line_ = next_line_;
    if (read_plain_row()) return true;
    const std::size_t length = find_row_end();  // may move the unread part
    char* const begin = buffer_.begin();
    char* const end = begin + length;
    const char* const next = end == buffer_.end() ? end : end + 1;
    buffer_.read_up_to(next);
    next_line_ += static_cast<std::size_t>(std::count<const char*>(begin, next, '\n'));
    char* const text_end = end != begin && end[-1] == '\r' ? end - 1 : end;
    if (std::all_of(begin, text_end, [&](char c) { return delimiter_ == ' ' && ends_field(c); })) {
      continue;  // a blank line
    }
    split(begin, text_end);
    return true;
  }
  return false;
}

bool CsvReader::read_plain_row() {
  if (delimiter_ == ' ') return false;
  fields_.resize(columns_.size());
  std::string_view* field = fields_.data();
  std::string_view* const last = field + fields_.size();
  const char* const row = buffer_.begin();
  const char* const stop = buffer_.end();
  const char* at = row;
  const char* start = row;  // of the field
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
    if (*end != '\n' || last - field != 1 || text_end == row) return false;
    *field = {start, static_cast<std::size_t>(text_end - start)};
    buffer_.read_up_to(end + 1);
    ++next_line_;
    return true;
  }
  return false;
}

void CsvReader::split(char* at, char* stop) {
  fields_.clear();
  if (delimiter_ == ' ') return split_at_blanks(at, stop);
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

void CsvReader::split_at_blanks(char* at, char* stop) {
  for (;;) {
    while (at != stop && ends_field(*at)) ++at;
    if (at == stop) return;
    if (*at == '"') {
      at = unquote(at, stop);
      continue;
    }
    char* const start = at;
    while (at != stop && !ends_field(*at)) ++at;
    fields_.emplace_back(start, static_cast<std::size_t>(at - start));
  }
}

bool CsvReader::ends_field(char c) const {
  return c == delimiter_ || (c == '\t' && delimiter_ == ' ');
}

// Adds the field that a quote opens, its text moved together in place; returns where it ends.
char* CsvReader::unquote(char* from, char* end) {
  char* const start = from;
  char* out = start;
  bool quoted = false;
  for (; from != end && (quoted || !ends_field(*from)); ++from) {
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
  if (buffer_.refill()) return true;
  if (buffer_.at_end()) return false;
  next_line_ += buffer_.abandon_line();
  refuse("the row is longer than 64 MiB; is a quote not closed?");
}

std::size_t CsvReader::find_row_end() {
  RowScan scan;  // goes on where it was when more data comes: nothing is looked at twice
  for (;;) {
    const std::optional<std::size_t> end = row_end_in_buffer(scan);
    if (end) return *end;
    if (!refill()) return buffer_.size();
  }
}

std::optional<std::size_t> CsvReader::row_end_in_buffer(RowScan& scan) const {
  // A quote opens at the start of a field only; inside, line breaks and delimiters are text.
  const std::string_view text = buffer_.unread();
  std::size_t i = scan.length;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (scan.quoted) {
      i = std::min(text.find('"', i), text.size());
      if (i == text.size()) break;
      if (i + 1 == text.size() && !buffer_.at_end()) break;  // may be doubled by what comes next
      if (i + 1 < text.size() && text[i + 1] == '"') {
        ++i;
      } else {
        scan.quoted = false;
      }
      scan.at_start = false;
    } else if (c == '\n') {
      return i;
    } else {
      scan.quoted = c == '"' && scan.at_start;
      scan.at_start = ends_field(c) || (c == ' ' && scan.at_start);
    }
  }
  scan.length = i;
  return std::nullopt;
}

}  // namespace plumbline::inline v0
