// A parsed command line that can be changed and printed as a command again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/parser.h"

namespace plumbline::cli {

class CommandLine {
 public:
  // `program` is the path by which the program was called.
  CommandLine(std::string program, VerbPath path, std::vector<Argument> arguments);

  // The table of the whole program.
  const Verb& program() const { return *path_.front(); }
  const std::vector<Argument>& arguments() const { return arguments_; }

  // Change options of the verb, by their long name ("--skip"). A flag has no value. Options that are set come first.
  CommandLine& set(std::string_view name, const std::string& value);
  CommandLine& set(std::string_view name);
  CommandLine& remove(std::string_view name);
  bool has(std::string_view name) const;
  // Removes the options that are stored in a saved model.
  CommandLine& remove_kept_in_model();

  // The command for a POSIX shell, quoted where necessary. Parsing it gives the same command line.
  std::string text() const;

 private:
  CommandLine& set_words(std::string_view name, const Words& words);

  std::string called_by_;
  VerbPath path_;
  std::vector<Argument> arguments_;
};

}  // namespace plumbline::cli
