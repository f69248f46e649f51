#include "plumbline/io/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::size_t kShown = 60;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool is_whole_number(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kShown) return fmt::format("'{}'", text);
  std::size_t size = kShown;
  // Not in the middle of a character of UTF-8, whose further bytes begin with the bits 10.
  while (size > kShown - 4 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return fmt::format("'{}…'", text.substr(0, size));
}

FirstLine first_line(std::string_view head, char comment) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    const std::string_view text = trimmed(take(head, end));
    const bool whole = !head.empty();
    if (whole) head.remove_prefix(1);
    if (!text.empty() && text.front() != comment) return {text, whole};
  }
  return {};
}

}  // namespace plumbline
