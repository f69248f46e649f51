// A command line, read by the table of the program's verbs and options.
//
//   --name value, --name=value, -n value, -nvalue, -ab for two flags, -- before positionals that begin with a dash.
//
// A repeatable option takes all words up to the next option, but leaves as many at the end of the command line as
// there are positionals that are required and missing. A negative number is a value, not an option.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/verb.h"

namespace plumbline::cli {

// An option and the words that were given for it; none for a flag.
struct Given {
  const Option* option;
  Words words;

  bool operator==(const Given&) const = default;
};

struct Mistake {
  std::string sentence;
  VerbPath path;  // the verb whose help tells more
};

struct Parsed {
  VerbPath path;             // of the verb that was given
  std::vector<Given> given;  // to it, in the order of the first word of each
  std::optional<Mistake> mistake;
  const Option* answer = nullptr;  // an option that is answered by a text
  bool lost = false;               // behind a verb that there is not
  // The place after the last word, for completions.
  const Option* open = nullptr;  // its value follows, or may follow
  bool needs_value = false;      // the open option has no value so far
  bool only_positionals = false;
};

// `following`: words behind them that are not known yet, as while a shell completes one.
Parsed parse(const Verb& program, const Words& words, std::size_t following = 0);
// The positional that the next plain word belongs to; null if there is no room for one.
const Option* next_positional(const Parsed& parsed);
// Checks and stores all values. Throws a configuration error that names the option.
void store(const std::vector<Given>& given);

}  // namespace plumbline::cli
