// Messages to the user, on standard error. A message that cannot be written is dropped, so that it does
// not stop the work.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "plumbline/encoding/encoder.h"
#include "plumbline/error.h"

namespace plumbline::cli {

// Writes the text as it is. Never throws.
void show(std::string_view text) noexcept;

// Writes a line that begins with the program's name.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  show("plumbline: " + fmt::format(format, std::forward<Args>(args)...) + "\n");
}

// The message of an error, or of a note, with its remedies as options of the command line.
std::string in_words(const Error& error);
std::string in_words(const Note& note);

}  // namespace plumbline::cli
