// A verb of the program as data: its texts, its options and its work. The program itself is a verb too.
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
  std::vector<Verb> verbs = {};  // subverbs: `datasets list`
  // Lines at the end of the help: lists of names, then notes.
  std::function<std::string()> lists = {};
  std::string notes = {};
  Words examples = {};
  std::function<void(const CommandLine&)> run = {};

  bool hidden() const { return group.empty(); }
};

// The path from the program to a verb.
using VerbPath = std::vector<const Verb*>;
// The words of the path: "plumbline datasets list".
std::string typed(const VerbPath& path);

// Appends options under one heading of the help.
void add_options(Verb& verb, const std::string& group, std::vector<Option> options,
                 bool kept_in_model = false);
inline constexpr bool kKeptInModel = true;

// Finds an option by any of its names; null if there is none.
const Option* find_option(const Verb& verb, std::string_view name);
const Verb* find_verb(const Verb& verb, std::string_view name);
// The lists and notes of a verb.
std::string notes_of(const Verb& verb);
// The names of the subverbs, without hidden ones.
Words verb_names(const Verb& verb);

}  // namespace plumbline::cli
