// The verbs and options of the program as plain data, read from CLI11.
//
// Completion scripts and the manual page are written from this, so that a new verb or option is in
// them without a change. What CLI11 hides (an empty group) is left out.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace plumbline::cli {

enum class Offer { nothing, values, files, folders };

// An option, a flag or a positional argument.
struct Argument {
  std::vector<std::string> names;  // with their dashes, short ones first; none of a positional
  std::string position;            // the name of a positional
  std::string description;
  std::string type;     // what the value is, e.g. UINT; empty for a flag
  std::string allowed;  // what CLI11 checks of it, e.g. "INT in [1 - 10]"
  std::string fallback;
  std::string variable;  // of the environment
  std::vector<std::string> needs, excludes;
  bool required = false;
  bool repeated = false;  // takes any number of values
  Offer offer = Offer::nothing;
  std::vector<std::string> values;  // to offer

  bool takes_value() const { return !type.empty(); }
};

struct Verb {
  std::string path;  // all that is typed up to here: "plumbline generate"
  std::string name;
  std::vector<std::string> aliases;
  std::string description;
  std::string footer;
  std::vector<Argument> options;
  std::vector<Argument> positionals;
  std::vector<Verb> verbs;

  // All that may be typed for it: its name and aliases.
  std::vector<std::string> spellings() const;
};

// The program itself, with its verbs.
Verb read_tree(CLI::App& program);
// The verb and all below it, in the order of the help.
std::vector<const Verb*> flatten(const Verb& top);

}  // namespace plumbline::cli
