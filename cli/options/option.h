// An option, a flag or a positional argument of a verb, as data.
//
// Parsing, the help, the manual page, completions and printed command lines all read this one description.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/words.h"

namespace plumbline::cli {

struct Verb;

// The destination and the check of an option's value (made by cli/options/value.h).
struct Value {
  // Stores the value. Throws a configuration error if a word is not allowed. An option that is not repeatable gets one
  // word, a flag none.
  std::function<void(const Words&)> set = {};
  std::string range = {};  // "from 1 to 10", for the manual page; may be empty
  bool repeatable = false;
  char separator = '\0';  // between several values in one word; none if 0
};

// The kind of values that the shell, or the table of verbs, completes.
enum class Completion { nothing, files, folders, verbs };

// Completions of a partial word.
using Offers = std::function<Words(std::string_view word)>;

struct Option {
  Words names;               // with dashes, the long one last; a positional has a single name
  std::string metavar = {};  // name of the value in the help; empty for a flag or a positional
  std::string help = {};
  std::string group = {};     // heading in the help; "Options" if empty
  std::string fallback = {};  // the default as text, if the help shows one
  Words choices = {};         // the allowed values; empty if others are allowed
  Offers offers = {};         // completions, if other values are allowed too
  Completion completion = Completion::nothing;
  bool required = false;
  bool hidden = false;         // not in the help, the manual page and completions
  bool kept_in_model = false;  // stored in a saved model, so that `run --load` does not accept it
  Words needs = {}, excludes = {};
  Value value = {};
  // The text to print instead of running the verb: --help, --version.
  std::function<std::string(const std::vector<const Verb*>&)> answer = {};

  const std::string& name() const { return names.back(); }
  bool positional() const { return !names.back().starts_with('-'); }
  bool takes_value() const { return positional() || !metavar.empty(); }
};

}  // namespace plumbline::cli
