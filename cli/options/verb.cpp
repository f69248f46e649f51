#include "cli/options/verb.h"

#include <algorithm>
#include <utility>

namespace plumbline::cli {

std::string typed(const VerbPath& path) {
  std::string text;
  for (const Verb* verb : path) text += (text.empty() ? "" : " ") + verb->name;
  return text;
}

void add_options(Verb& verb, const std::string& group, std::vector<Option> options,
                 bool kept_in_model) {
  for (Option& option : options) {
    option.group = group;
    option.kept_in_model = kept_in_model;
    verb.options.push_back(std::move(option));
  }
}

const Option* find_option(const Verb& verb, std::string_view name) {
  for (const Option& option : verb.options) {
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  }
  return nullptr;
}

const Verb* find_verb(const Verb& verb, std::string_view name) {
  const auto found = std::ranges::find(verb.verbs, name, &Verb::name);
  return found == verb.verbs.end() ? nullptr : &*found;
}

std::string notes_of(const Verb& verb) { return (verb.lists ? verb.lists() : "") + verb.notes; }

Words verb_names(const Verb& verb) {
  Words names;
  for (const Verb& below : verb.verbs) {
    if (!below.hidden()) names.push_back(below.name);
  }
  return names;
}

}  // namespace plumbline::cli
