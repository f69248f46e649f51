// Rows of comma-separated values as text: numbers with the shortest digits that read back to the
// same number, texts in quotes where they need them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::inline v0 {

class CsvWriter {
 public:
  CsvWriter& add(double number);
  CsvWriter& add(std::uint64_t number);
  CsvWriter& add(std::span<const double> numbers);
  CsvWriter& add(std::string_view text);
  void end_row();

  // The rows since the last call.
  const std::string& text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  void separate();

  std::string text_;
  bool at_start_ = true;
};

}  // namespace plumbline::inline v0
