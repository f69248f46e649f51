// Command lines cut into words by a real shell.
#pragma once

#include <cstdio>
#include <string>

#include "cli/options/words.h"

namespace plumbline::cli {

inline Words cut_by_shell(const std::string& command_line) {
  Words words;
  std::string word;
  std::FILE* const pipe = ::popen(("printf '%s\\0' " + command_line).c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\0') {
      word += static_cast<char>(c);
    } else {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  ::pclose(pipe);
  return words;
}

}  // namespace plumbline::cli
