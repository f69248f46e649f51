// UTF-8: validity, code points, and cuts between characters.
//
// Header only and without includes of the project: the only library header that report/ may include
// (tests/repository/include_graph.py).
#pragma once

#include <cstddef>
#include <string_view>

namespace plumbline::inline v0 {

// U+FEFF, which may precede the content of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Replaces invalid bytes.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// True for all bytes of a character except the first; their upper bits are 10.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

struct CodePoint {
  char32_t value = kReplacementCharacter;
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of a non-empty text. It is valid if it is well-formed by table 3-7 of the Unicode
// standard, which excludes overlong forms and surrogates; otherwise the first byte counts as one
// character.
constexpr CodePoint first_code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1, true};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t bytes = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < bytes) return {};
  char32_t value = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_character(text[i])) return {};
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  const bool overlong = value < (bytes == 4 ? 0x10000u : bytes == 3 ? 0x800u : 0x80u);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {};
  return {value, bytes, true};
}

constexpr bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const CodePoint next = first_code_point(text.substr(i));
    if (!next.valid) return false;
    i += next.bytes;
  }
  return true;
}

// The number of characters of a valid text. This is its width in a terminal, except for wide characters
// (Chinese, Japanese, Korean) and combining characters.
constexpr std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += continues_character(byte) ? 0 : 1;
  return count;
}

// The longest prefix of whole characters with at most this many bytes, or with this many characters.
// An invalid text may be cut anywhere.
constexpr std::string_view first_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && end + 3 > bytes && continues_character(text[end])) --end;
  return text.substr(0, end);
}
constexpr std::string_view first_characters(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!continues_character(text[i]) && count-- == 0) return text.substr(0, i);
  }
  return text;
}

}  // namespace plumbline::inline v0
