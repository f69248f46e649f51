#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plumbline/base/utf8.h"

namespace plumbline::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kMinus = "\xE2\x88\x92";        // U+2212
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026

// XML 1.0 has no control characters but these, and no U+FFFE and U+FFFF.
bool allowed_in_xml(char32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  return character != 0xFFFE && character != 0xFFFF;
}

std::string_view entity(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string superscript(int exponent) {
  constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) {
    result += kDigits[static_cast<std::size_t>(digit - '0')];
  }
  return result;
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

// Commas between the thousands of the first `whole` digits.
std::string with_commas(std::string digits, std::size_t whole) {
  for (std::size_t i = whole; i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// Widths in units of the font size, based on common system fonts.
double character_width(char character) {
  constexpr std::string_view kNarrow = "iljtfrI.,:;'|!()[] ";
  constexpr std::string_view kWideCharacters = "mwMWQO@";
  if (kNarrow.find(character) != std::string_view::npos) return 0.34;
  if (character == '%') return 0.96;
  if (kWideCharacters.find(character) != std::string_view::npos) return 0.88;
  if (character >= 'A' && character <= 'Z') return 0.68;
  return character >= '0' && character <= '9' ? 0.64 : 0.58;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    if (!next.valid || !allowed_in_xml(next.value)) {
      result += kReplacement;
    } else if (const auto name = entity(text[0]); !name.empty()) {
      result += name;
    } else {
      result += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return result;
}

std::string fixed_text(double value, int decimals) {
  std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  digits = with_commas(digits, std::min(digits.find('.'), digits.size()));
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? std::string(kMinus) : "") + digits;
}

std::string count_text(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  return with_commas(digits, digits.size());
}

std::string power_text(double value) {
  if (value == 0) return "0";
  const std::string digits = fmt::format("{:.3e}", std::abs(value));  // 1.500e-07
  const std::size_t e = digits.find('e');
  const std::string mantissa = without_trailing_zeros(digits.substr(0, e));
  return (value < 0 ? std::string(kMinus) : "") + (mantissa == "1" ? "" : mantissa + "×") + "10" +
         superscript(std::stoi(digits.substr(e + 1)));
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e12)) return power_text(value);
  const int whole_digits = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  // Below 1, leading zeros are not significant, but four decimals are usual.
  return without_trailing_zeros(fixed_text(value, std::max(0, 4 - whole_digits)));
}

std::size_t length(std::string_view utf8) { return count_characters(utf8); }

double text_width(std::string_view utf8, double font_size) {
  double width = 0;
  for (const char byte : utf8) {
    if (continues_character(byte)) continue;
    // Most characters of three or more bytes are as wide as they are high.
    width += static_cast<unsigned char>(byte) >= 0xE3 ? 1.0 : character_width(byte);
  }
  return width * font_size;
}

std::vector<std::string> wrap(std::string_view utf8, double font_size, double width) {
  std::vector<std::string> lines;
  while (!utf8.empty()) {
    const std::string_view word = utf8.substr(0, utf8.find(' '));
    utf8.remove_prefix(std::min(word.size() + 1, utf8.size()));
    if (word.empty()) continue;
    const std::string longer = lines.empty() ? "" : lines.back() + " " + std::string(word);
    if (lines.empty() || text_width(longer, font_size) > width) {
      lines.emplace_back(word);
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

std::string shorten(std::string_view utf8, double font_size, double width) {
  if (text_width(utf8, font_size) <= width) return std::string(utf8);
  while (!utf8.empty() && text_width(utf8, font_size) + font_size > width) {
    utf8 = first_bytes(utf8, utf8.size() - 1);
  }
  return std::string(utf8) + std::string(kEllipsis);
}

}  // namespace plumbline::report
