#include "plumbline/io/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <fast_float/fast_float.h>

#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

// Fast path for most numbers in files: at most 15 digits, perhaps a sign and a point. The digits are
// a whole number below 2^53 and the power of ten is exact too, so that one division rounds correctly
// (Clinger 1990). False for any other text, be it a number or not.
bool parse_short_decimal(std::string_view text, double& value) {
  constexpr std::size_t kMaxDigits = 15;
  static constexpr std::array<double, kMaxDigits + 1> kPowers{
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  const char* point = nullptr;
  std::ptrdiff_t count = end - at;
  if (count > std::ptrdiff_t{kMaxDigits} + 1) return false;
  std::int64_t digits = 0;
  for (; at != end; ++at) {
    const int digit = *at - '0';
    if (digit >= 0 && digit <= 9) {
      digits = 10 * digits + digit;
    } else if (*at == '.' && point == nullptr) {
      point = at;
      --count;
    } else {
      return false;
    }
  }
  if (count == 0 || count > std::ptrdiff_t{kMaxDigits}) return false;
  value = static_cast<double>(digits);
  if (point != nullptr) value /= kPowers[static_cast<std::size_t>(end - point - 1)];
  if (negative) value = -value;
  return true;
}

// Not inline, so that it does not slow down the way of the short numbers.
[[gnu::noinline]] bool parse_other_number(std::string_view text, double& value) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

bool parse_number(std::string_view text, double& value) {
  return parse_short_decimal(text, value) || parse_other_number(text, value);
}

bool is_decimal(std::string_view text) {
  const auto take_digits = [&] {
    std::size_t count = 0;
    while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
    text.remove_prefix(count);
    return count;
  };
  std::size_t digits = take_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += take_digits();
  }
  if (digits == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return take_digits() > 0 && text.empty();
}

bool is_missing(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == "?") return true;
  for (const char* word : {"na", "n/a", "nan", "null", "none"}) {
    if (equal_ignoring_case(text, word)) return true;
  }
  return false;
}

bool parse_number_with_commas(std::string_view text, bool decimal_comma, double& value) {
  if (text.find(',') == std::string_view::npos || text.size() > 40) return false;
  const char mark = decimal_comma ? '.' : ',';   // between thousands
  const char point = decimal_comma ? ',' : '.';  // before decimals
  std::string plain;
  std::size_t digits = 0;  // since the last mark
  bool marked = false;
  const std::size_t end = std::min(text.find(point), text.size());
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == mark) {
      // Thousands stand in groups of three, the first one shorter perhaps.
      if (digits == 0 || digits > 3 || (marked && digits != 3)) return false;
      marked = true;
      digits = 0;
      continue;
    }
    if (text[i] >= '0' && text[i] <= '9') ++digits;
    plain += text[i];
  }
  if (marked && digits != 3) return false;
  if (end < text.size()) plain.append(".").append(text.substr(end + 1));
  return parse_number(plain, value);
}

}  // namespace plumbline::inline v0
