// File descriptors of the program's outputs.
#pragma once

#include <string_view>

namespace plumbline::cli {

// Opens descriptors 0, 1 and 2 if they are closed, so that no other file gets one of these numbers.
// Reading from or writing to the replacement fails as it would have before.
void reserve_standard_descriptors();

struct Written {
  std::size_t bytes;
  int error;  // errno; 0 if all bytes were written
};

// Writes all of `text`, also to a non-blocking descriptor, and waits for a slow reader. After an
// interrupt (cli/shell/interrupt.h) it waits for at most five seconds, then fails with ETIMEDOUT.
Written write_all(int descriptor, std::string_view text);

}  // namespace plumbline::cli
