// The command line that was given, so that it can be changed and printed as a command again.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace plumbline::cli {

class CommandLine {
 public:
  // What was given to the verb, once it has been parsed.
  CommandLine(const std::string& program, const CLI::App& verb);

  // Options by their long name: "--skip". A flag has no value. What is set comes first.
  CommandLine& set(const std::string& name, const std::string& value);
  CommandLine& set(const std::string& name);
  CommandLine& remove(std::string_view name);

  // For a POSIX shell, quoted where it has to be.
  std::string text() const;

 private:
  std::string program_, verb_;
  std::vector<std::string> positionals_;                                   // paths
  std::vector<std::pair<std::string, std::vector<std::string>>> options_;  // names and values
};

}  // namespace plumbline::cli
