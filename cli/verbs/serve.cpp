// `plumbline serve`: hands over to the program plumbline-serve, which lies beside this one.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/options/command_line.h"
#include "cli/options/serve_options.h"
#include "cli/verbs/verbs.h"
#include "plumbline/error.h"

namespace plumbline::cli {
namespace {

// The words of the command line of this process, each with a NUL at its end.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void become_the_server() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string server = (self.parent_path() / "plumbline-serve").string();
  std::string words = command_line();
  std::vector<char*> arguments;
  for (std::size_t begin = 0; begin < words.size(); begin = words.find('\0', begin) + 1) {
    arguments.push_back(words.data() + begin);
  }
  arguments.push_back(nullptr);
  ::execv(server.c_str(), arguments.data());
  throw Error(ErrorKind::io,
              fmt::format("cannot run '{}': {}; build it with -DPLUMBLINE_BUILD_SERVE=ON, which "
                          "needs Boost and SQLite (libboost1.81-dev, libsqlite3-dev)",
                          server, std::strerror(errno)));
}

}  // namespace

Verb serve_verb() {
  const auto options = std::make_shared<ServeOptions>();
  Verb verb = serve_verb(options);
  verb.run = [options](const CommandLine&) { become_the_server(); };
  return verb;
}

}  // namespace plumbline::cli
