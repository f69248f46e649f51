// The terminal on standard error: its size and abilities.
#pragma once

#include <cstddef>
#include <string>

namespace plumbline::cli {

bool stderr_is_terminal();
// The number of columns; 80 if there is no terminal or its width is unknown.
int terminal_width();
// True if the locale is UTF-8.
bool terminal_shows_unicode();
// Cuts a line to `width` columns: a line that wraps cannot be redrawn.
std::string fitted(const std::string& text, std::size_t width);

}  // namespace plumbline::cli
