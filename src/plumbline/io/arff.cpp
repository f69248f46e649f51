#include "plumbline/io/arff.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::string_view kMissingValue = "?";
constexpr std::string_view kTypes =
    "numeric, real, integer, string, date, and a list of values in braces";

// Nothing but a comment is left. Only asked where a word may begin.
bool ended(std::string_view rest) { return rest.empty() || rest.front() == '%'; }

bool is_quote(std::string_view rest) { return rest.starts_with('\'') || rest.starts_with('"'); }

char unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

// Up to ten of the values, for a message.
std::string some_of(const std::vector<std::string>& values) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(values[i]);
  }
  return values.size() > kShown ? fmt::format("{} and {} more", text, values.size() - kShown)
                                : text;
}

}  // namespace

ArffReader::ArffReader(std::unique_ptr<Source> source, std::string name)
    : Stream(std::move(name)), lines_(std::move(source), name_) {
  read_header();
  prepare_columns();
}

bool ArffReader::recognises(std::string_view head) {
  const std::string_view line = first_line(head, '%').text;
  for (const std::string_view keyword : {"@relation", "@attribute"}) {
    if (equal_ignoring_case(line.substr(0, keyword.size()), keyword)) return true;
  }
  // Nothing but comments so far: the header of a CSV file may begin with % too, but has commas.
  const std::string_view first = first_line(head).text;
  return line.empty() && first.starts_with('%') && first.find(',') == std::string_view::npos;
}

void ArffReader::read_header() {
  std::unordered_set<std::string> names;
  while (lines_.next()) {
    line_ = lines_.number();
    std::string_view rest = lines_.text();
    skip_blanks(rest);
    if (ended(rest)) continue;
    const std::string_view keyword = take_word(rest);
    if (equal_ignoring_case(keyword, "@relation")) continue;  // its name is of no use
    if (equal_ignoring_case(keyword, "@attribute")) {
      read_attribute(rest);
      const std::string& name = columns_.back().name;
      if (!names.insert(name).second) {
        refuse(fmt::format("two attributes have the name {}", in_quotes(name)));
      }
    } else if (equal_ignoring_case(keyword, "@data")) {
      skip_blanks(rest);
      if (!ended(rest)) refuse("the rows must begin on the line after @data");
      if (columns_.empty()) refuse("there is no @attribute line before @data");
      return;
    } else {
      refuse(fmt::format("{} begins no line of a header; those are @relation, @attribute and @data",
                         in_quotes(keyword)));
    }
  }
  refuse("the file ends without a line @data");
}

void ArffReader::read_attribute(std::string_view rest) {
  skip_blanks(rest);
  Column column;
  if (is_quote(rest)) {
    column.name = take_quoted(rest);
  } else if (!ended(rest)) {
    // A list of values may touch the name.
    const auto ends = [](char c) { return is_blank(c) || c == '{'; };
    const auto end = std::find_if(rest.begin(), rest.end(), ends);
    column.name = take(rest, static_cast<std::size_t>(end - rest.begin()));
  }
  if (column.name.empty()) refuse("an @attribute must have a name and a type");
  skip_blanks(rest);
  if (ended(rest)) {
    refuse(fmt::format("the attribute {} has no type; known: {}", in_quotes(column.name), kTypes));
  }
  read_type(rest, column);
  columns_.push_back(std::move(column));
}

void ArffReader::read_type(std::string_view rest, Column& column) {
  if (rest.front() == '{') {
    column.kind = ColumnKind::categorical;
    read_declared_values(rest, column);
    skip_blanks(rest);
    if (!ended(rest)) {
      refuse(fmt::format("{} follows the list of values of the attribute {}", in_quotes(rest),
                         in_quotes(column.name)));
    }
    return;
  }
  // The rest is a date's format, a range or a comment, and is ignored.
  const std::string_view type = take_word(rest);
  const auto is = [&](std::string_view name) { return equal_ignoring_case(type, name); };
  if (is("numeric") || is("real") || is("integer")) {
    column.kind = ColumnKind::numeric;
  } else if (is("string")) {
    column.kind = ColumnKind::categorical;
  } else if (is("relational")) {
    refuse(fmt::format("the attribute {} is relational, which is not supported; remove it",
                       in_quotes(column.name)));
  } else if (!is("date")) {
    refuse(fmt::format("the attribute {} has the unknown type {}; known: {}",
                       in_quotes(column.name), in_quotes(type), kTypes));
  }
}

void ArffReader::read_declared_values(std::string_view& rest, Column& column) {
  rest.remove_prefix(1);  // the brace
  for (;;) {
    skip_blanks(rest);
    if (column.values.empty() && rest.starts_with('}')) {
      refuse(fmt::format("the attribute {} declares no values", in_quotes(column.name)));
    }
    if (!ended(rest)) column.values.emplace_back(take_value(rest, ",}"));
    skip_blanks(rest);
    if (ended(rest)) {
      refuse(fmt::format("the list of values of the attribute {} is not closed with a brace",
                         in_quotes(column.name)));
    }
    const char next = take(rest, 1).front();
    if (next == '}') break;
    if (next != ',') {
      refuse(fmt::format("a comma must follow the value {} of the attribute {}",
                         in_quotes(column.values.back()), in_quotes(column.name)));
    }
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : column.values) {
    if (!seen.insert(value).second) {
      refuse(fmt::format("the attribute {} declares the value {} twice", in_quotes(column.name),
                         in_quotes(value)));
    }
  }
}

// Once the columns do not move any more: these are views of their texts.
void ArffReader::prepare_columns() {
  for (const Column& column : columns_) {
    declared_.emplace_back(column.values.begin(), column.values.end());
    if (column.kind == ColumnKind::numeric) {
      left_out_.push_back("0");
    } else {
      left_out_.push_back(column.values.empty() ? kMissingValue : column.values.front());
    }
  }
  held_by_.assign(columns_.size(), 0);
}

bool ArffReader::next() {
  while (lines_.next()) {
    std::string_view rest = trimmed(lines_.text());
    if (ended(rest)) continue;
    line_ = lines_.number();
    fields_.clear();
    unescaped_.clear();
    unescaped_.reserve(rest.size());
    if (rest.front() == '{') {
      read_sparse(rest);
    } else {
      read_dense(rest);
    }
    row_.fields = fields_;
    return true;
  }
  return false;
}

void ArffReader::read_dense(std::string_view rest) {
  do {
    if (rest.starts_with('{')) {
      read_weight(rest);
      break;
    }
    fields_.push_back(take_value(rest, ",\t", fields_.size() + 1));
  } while (take_separator(rest));
  if (fields_.size() != columns_.size()) {
    refuse(fmt::format("the row has {} values, but {} are expected; commas or tabs separate them",
                       fields_.size(), columns_.size()));
  }
  for (std::size_t j = 0; j < fields_.size(); ++j) check_declared(j);
}

void ArffReader::read_sparse(std::string_view rest) {
  fields_ = left_out_;
  rest.remove_prefix(1);  // the brace
  skip_blanks(rest);
  for (bool more = !rest.starts_with('}'); more;) {
    if (!ended(rest)) read_entry(rest);
    skip_blanks(rest);
    if (ended(rest)) refuse("the sparse row is not closed with a brace");
    more = rest.front() == ',';
    if (more) rest.remove_prefix(1);
    skip_blanks(rest);
  }
  if (take(rest, 1) != "}") refuse("commas must separate the values of a sparse row");
  skip_blanks(rest);
  if (rest.starts_with(',')) {
    rest.remove_prefix(1);
    skip_blanks(rest);
  }
  if (rest.starts_with('{')) {
    read_weight(rest);
  } else if (!ended(rest)) {
    refuse(fmt::format("{} follows the brace that closes the row", in_quotes(rest)));
  }
}

void ArffReader::read_entry(std::string_view& rest) {
  const std::size_t index = read_index(rest);
  if (held_by_[index] == line_) refuse("the index stands in the row twice", index + 1);
  held_by_[index] = line_;
  skip_blanks(rest);
  fields_[index] = take_value(rest, ",}", index + 1);
  check_declared(index);
}

std::size_t ArffReader::read_index(std::string_view& rest) {
  const auto ends = [](char c) { return is_blank(c) || c == ',' || c == '}'; };
  const auto end = std::find_if(rest.begin(), rest.end(), ends);
  const std::string_view word = take(rest, static_cast<std::size_t>(end - rest.begin()));
  if (!is_whole_number(word)) {
    refuse(fmt::format("{} must be an index; a value of a sparse row is written INDEX VALUE",
                       in_quotes(word)));
  }
  std::size_t index = columns_.size();
  std::from_chars(word.data(), word.data() + word.size(), index);  // left alone if too large
  if (index >= columns_.size()) {
    refuse(fmt::format("the index {} is out of range; the indices are 0 to {}", in_quotes(word),
                       columns_.size() - 1));
  }
  return index;
}

void ArffReader::read_weight(std::string_view rest) {
  const std::size_t close = rest.find('}');
  const std::string_view after =
      close == std::string_view::npos ? rest : trimmed(rest.substr(close + 1));
  if (!ended(after)) {
    refuse("a brace opens the weight of a row, which stands last; quote a value that has one");
  }
  const std::string_view weight = trimmed(rest.substr(1, close - 1));
  if (parse_number(weight) == 1) return;
  refuse(fmt::format("the row has the weight {}; weights are not supported yet, remove it",
                     in_quotes(weight)));
}

void ArffReader::check_declared(std::size_t j) const {
  const std::string_view value = fields_[j];
  if (declared_[j].empty() || value == kMissingValue || declared_[j].contains(value)) return;
  refuse(fmt::format("{} is not a value that the attribute {} declares; declared: {}",
                     in_quotes(value), in_quotes(columns_[j].name), some_of(columns_[j].values)),
         j + 1);
}

std::string_view ArffReader::take_value(std::string_view& rest, std::string_view stops,
                                        std::size_t column) {
  if (is_quote(rest)) return take_quoted(rest);
  std::size_t size = 0;
  for (; size < rest.size(); ++size) {
    const char c = rest[size];
    if (c == stops[0] || c == stops[1]) break;
    if (c == '%' && (size == 0 || is_blank(rest[size - 1]))) break;  // a comment
  }
  const std::string_view value = trimmed(take(rest, size));
  if (value.empty()) {
    refuse("a value is empty; write ? for a missing value and '' for a text without characters",
           column);
  }
  return value;
}

std::string_view ArffReader::take_quoted(std::string_view& rest) {
  const char quote = take(rest, 1).front();
  bool escapes = false;
  for (std::size_t size = 0; size < rest.size(); ++size) {
    if (rest[size] == '\\') {
      escapes = true;
      ++size;
    } else if (rest[size] == quote) {
      const std::string_view text = take(rest, size);
      rest.remove_prefix(1);
      return escapes ? unescaped(text) : text;
    }
  }
  refuse(fmt::format("the quote before {} is not closed", in_quotes(rest)));
}

std::string_view ArffReader::unescaped(std::string_view text) {
  const std::size_t begin = unescaped_.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    unescaped_ += text[i] == '\\' ? unescape(text[++i]) : text[i];
  }
  return std::string_view(unescaped_).substr(begin);
}

// Blanks, and a comma or a tab among them; false at the end of the row.
bool ArffReader::take_separator(std::string_view& rest) const {
  bool tab = false;
  for (; !rest.empty() && is_blank(rest.front()); rest.remove_prefix(1)) {
    tab = tab || rest.front() == '\t';
  }
  if (rest.starts_with(',')) {
    rest.remove_prefix(1);
    skip_blanks(rest);
    return true;
  }
  if (ended(rest)) return false;
  if (!tab) refuse("a comma must follow the quote that closes a value", fields_.size());
  return true;
}

}  // namespace plumbline::inline v0
