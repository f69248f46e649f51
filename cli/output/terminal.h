// The terminal on standard error: its size and abilities.
#pragma once

#include <cstddef>
#include <string>

namespace plumbline::cli {

bool stderr_is_terminal();
// Columns; 80 if it is no terminal or does not say.
int terminal_width();
// Whether the locale says that Unicode can be shown.
bool terminal_shows_unicode();
// Cuts a line to so many columns: a line that wraps cannot be redrawn.
std::string fitted(const std::string& text, std::size_t width);

}  // namespace plumbline::cli
