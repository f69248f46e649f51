// Words of a POSIX shell.
#pragma once

#include <string>

namespace plumbline::cli {

// The text as one word: in quotes, unless it is plain.
std::string shell_word(const std::string& text);

}  // namespace plumbline::cli
