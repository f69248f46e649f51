// Words of a command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

using Words = std::vector<std::string>;

// The pieces between separators; nothing after a separator at the end, one empty piece of an empty text.
Words split(std::string_view text, char separator);

// Lines of at most `width` bytes, broken at blanks; a longer word stands alone.
Words wrap(std::string_view text, std::size_t width);

// The text as one word of a POSIX shell: in quotes, unless it is plain.
std::string shell_word(std::string_view text);

}  // namespace plumbline::cli
