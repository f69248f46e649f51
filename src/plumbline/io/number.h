// Numbers as people write them in files, and what they write where one is missing.
#pragma once

#include <optional>
#include <string_view>

namespace plumbline::inline v0 {

// A number as people write it: spaces around it, a plus sign, 1e5, .5, 5.; nothing if it is none.
// "nan" and "inf" are no numbers here.
bool parse_number(std::string_view text, double& value);
inline std::optional<double> parse_number(std::string_view text) {
  // Inline, because gcc returns an optional<double> through memory, and that takes longer than to read
  // a short number.
  double value = 0;
  if (parse_number(text, value)) return value;
  return std::nullopt;
}

// True if the text is a decimal number without a sign: digits, perhaps with a point, perhaps
// with an exponent. The number may be too large for a double.
bool is_decimal(std::string_view text);

// True if the text stands for a missing value: empty, ?, NA, N/A, NaN, null, none.
bool is_missing(std::string_view text);

// A number as parse_number takes it, or with commas: decimal ones (1,5 and 1.234,5), or else ones that
// set thousands apart (1,234.5).
bool parse_number_with_commas(std::string_view text, bool decimal_comma, double& value);

}  // namespace plumbline::inline v0
