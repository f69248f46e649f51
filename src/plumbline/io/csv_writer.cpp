#include "plumbline/io/csv_writer.h"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace plumbline::inline v0 {

void CsvWriter::separate() {
  if (!at_start_) text_ += ',';
  at_start_ = false;
}

CsvWriter& CsvWriter::add(double number) {
  separate();
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), number);
  return *this;
}

CsvWriter& CsvWriter::add(std::uint64_t number) {
  separate();
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), number);
  return *this;
}

CsvWriter& CsvWriter::add(std::span<const double> numbers) {
  for (const double number : numbers) add(number);
  return *this;
}

CsvWriter& CsvWriter::add(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    text_ += text;
    return *this;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

void CsvWriter::end_row() {
  text_ += '\n';
  at_start_ = true;
}

}  // namespace plumbline::inline v0
