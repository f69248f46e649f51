#include "plumbline/io/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kShown = 60;

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
  return fmt::format("'{}…'", first_bytes(text, kShown));
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

}  // namespace plumbline::inline v0
