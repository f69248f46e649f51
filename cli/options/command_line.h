// The command line that was given, so that it can be changed and printed as a command again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/parser.h"

namespace plumbline::cli {

class CommandLine {
 public:
  // `program` is the path that the program was called by.
  CommandLine(std::string program, VerbPath path, std::vector<Given> given);

  // The table of the whole program.
  const Verb& program() const { return *path_.front(); }
  const std::vector<Given>& given() const { return given_; }

  // Options of the verb by their long name: "--skip". A flag has no value. What is set comes first.
  CommandLine& set(std::string_view name, const std::string& value);
  CommandLine& set(std::string_view name);
  CommandLine& remove(std::string_view name);
  // Without the options that a saved model has.
  CommandLine& remove_kept_in_model();

  // For a POSIX shell, quoted where it has to be. Parsed again, it is the same command line.
  std::string text() const;

 private:
  CommandLine& set_words(std::string_view name, const Words& words);

  std::string called_by_;
  VerbPath path_;
  std::vector<Given> given_;
};

}  // namespace plumbline::cli
