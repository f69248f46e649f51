// The parser of command lines, driven by the table of the program's verbs and options.
//
//   --name value, --name=value, -n value, -nvalue, -ab for two flags, -- before positionals that begin with a dash.
//
// A repeatable option takes all words up to the next option, except the last ones of the command line if required
// positionals are missing. A negative number is a value, not an option.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/verb.h"

namespace plumbline::cli {

// An option and its words on the command line; a flag has none.
struct Argument {
  const Option* option;
  Words words;

  bool operator==(const Argument&) const = default;
};

struct Mistake {
  std::string sentence;
  VerbPath path;  // the verb whose help explains more
};

struct Parsed {
  VerbPath path;                    // the verb
  std::vector<Argument> arguments;  // to it, in the order of the first word of each
  std::optional<Mistake> mistake;
  const Option* answer = nullptr;  // an option that only prints a text: --help, --version
  bool lost = false;               // true after an unknown verb
  // The state after the last word, for completions.
  const Option* open = nullptr;  // the option whose value follows or may follow
  bool needs_value = false;      // true if the open option has no value yet
  bool only_positionals = false;
};

// `following` is the number of further words that are not known yet, as while a shell completes one.
Parsed parse(const Verb& program, const Words& words, std::size_t following = 0);
// The positional to which the next plain word belongs; null if there is none left.
const Option* next_positional(const Parsed& parsed);
// Checks and stores all values. Throws a configuration error that names the option.
void store(const std::vector<Argument>& arguments);

}  // namespace plumbline::cli
