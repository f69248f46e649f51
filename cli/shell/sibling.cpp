#include "cli/shell/sibling.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "plumbline/error.h"

namespace plumbline::cli {

std::vector<std::string> words_of_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

void become(const std::string& program, std::vector<std::string> arguments,
            const std::string& how_to_build) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = (self.parent_path() / program).string();
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  ::execv(path.c_str(), words.data());
  throw Error(ErrorKind::io,
              fmt::format("cannot run '{}': {}; {}", path, std::strerror(errno), how_to_build));
}

}  // namespace plumbline::cli
