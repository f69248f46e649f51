// A verb of the program as data: its texts, its options and its work. The program itself is one, too.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option.h"

namespace plumbline::cli {

class CommandLine;

struct Verb {
  std::string name;
  std::string summary = {};
  std::string group = "Verbs";  // heading in the help of the verb above; empty for a hidden verb
  std::vector<Option> positionals = {};
  std::vector<Option> options = {};
  std::vector<Verb> verbs = {};  // below it: `datasets list`
  // Lines at the end of the help: names to choose from, then what else there is to know.
  std::function<std::string()> lists = {};
  std::string notes = {};
  Words examples = {};
  std::function<void(const CommandLine&)> run = {};

  bool hidden() const { return group.empty(); }
};

// From the program down to the verb that is meant.
using VerbPath = std::vector<const Verb*>;
// What is typed for it: "plumbline datasets list".
std::string typed(const VerbPath& path);

// Appends options that stand under one heading of the help.
void add_options(Verb& verb, const std::string& group, std::vector<Option> options,
                 bool kept_in_model = false);
inline constexpr bool kKeptInModel = true;

// By any of its names; null if there is none.
const Option* find_option(const Verb& verb, std::string_view name);
const Verb* find_verb(const Verb& verb, std::string_view name);
// Its lists and notes.
std::string notes_of(const Verb& verb);
// The names of the verbs below it, without hidden ones.
Words verb_names(const Verb& verb);

}  // namespace plumbline::cli
