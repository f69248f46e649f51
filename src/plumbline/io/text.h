// Text functions of the readers and the encoder: words between blanks, and the first line of a file that is
// still to be recognised.
//
// The functions cut views off a view and copy nothing. A blank is any white space within a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plumbline::inline v0 {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

inline std::string_view trimmed(std::string_view text) {
  skip_blanks(text);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes `size` characters off the front.
inline std::string_view take(std::string_view& rest, std::size_t size) {
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(taken.size());
  return taken;
}

// Takes the next word off the front; empty if only blanks are left.
inline std::string_view take_word(std::string_view& rest) {
  skip_blanks(rest);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  return take(rest, size);
}

// For keywords, which are ASCII.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// A whole number without a sign.
bool is_whole_number(std::string_view text);

// In single quotes for a message; of a long text the beginning.
std::string in_quotes(std::string_view text);

struct FirstLine {
  std::string_view text;  // without blanks around it; empty if there is none
  bool whole = false;     // its end was seen; otherwise it may be cut anywhere
};

// The first line of a file's beginning that says something: it is not blank and does not begin with
// the character `comment`. A byte order mark is left out.
FirstLine first_line(std::string_view head, char comment = '\0');

}  // namespace plumbline::inline v0
