// Words of a command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

using Words = std::vector<std::string>;

// The pieces between separators. A final separator adds no piece; an empty text has one empty piece.
Words split(std::string_view text, char separator);

// Lines of at most `width` bytes, broken at blanks; a longer word has its own line.
Words wrap(std::string_view text, std::size_t width);

// The text as one word of a POSIX shell, in quotes if necessary.
std::string shell_word(std::string_view text);

}  // namespace plumbline::cli
