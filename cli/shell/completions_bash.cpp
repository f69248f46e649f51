// Completion for bash: one function with a `case` for each table.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completions.h"

namespace plumbline::cli {
namespace {

// An arm of a `case`: what to do at this place.
std::string arm(const std::string& pattern, const std::string& action) {
  return fmt::format("        {}) {} ;;\n", pattern, action);
}

std::string bash_words(const std::vector<std::string>& words) {
  return "words=" + quote(fmt::format("{}", fmt::join(words, " ")));
}

std::string bash_offer(const Argument& argument) {
  switch (argument.offer) {
    case Offer::values:
      return bash_words(argument.values);
    case Offer::files:
      return "action=file";
    case Offer::folders:
      return "action=directory";
    case Offer::nothing:
      break;
  }
  return ":";
}

struct BashTables {
  std::string places;   // "PLACE WORD" that leads to another place
  std::string valued;   // "PLACE OPTION" that takes a value
  std::string offers;   // "PLACE OPTION", or "PLACE NUMBER" for a positional: what to offer
  std::string options;  // PLACE: its options
  std::string verbs;    // PLACE: its verbs
};

BashTables bash_tables(const Verb& top) {
  BashTables tables;
  for (const Verb* verb : flatten(top)) {
    std::vector<std::string> options, verbs;
    for (const Verb& below : verb->verbs) {
      verbs.push_back(below.name);
      for (const std::string& name : below.spellings()) {
        tables.places += arm(quote(verb->path + " " + name), "place=" + quote(below.path));
      }
    }
    for (const Argument& option : verb->options) {
      for (const std::string& name : option.names) {
        options.push_back(name);
        if (!option.takes_value()) continue;
        tables.valued += arm(quote(verb->path + " " + name), "option=$word");
        tables.offers += arm(quote(verb->path + " " + name), bash_offer(option));
      }
    }
    for (std::size_t i = 0; i < verb->positionals.size(); ++i) {
      const Argument& positional = verb->positionals[i];
      const std::string number = positional.repeated ? "*" : fmt::format("{}", i);
      tables.offers += arm(quote(verb->path + " ") + number, bash_offer(positional));
    }
    tables.options += arm(quote(verb->path), bash_words(options));
    if (!verbs.empty()) tables.verbs += arm(quote(verb->path), bash_words(verbs));
  }
  return tables;
}

}  // namespace

std::string bash_script(const Verb& top) {
  const BashTables tables = bash_tables(top);
  return fmt::format(
      R"(# Completion of {name} for bash, written by `{name} completions bash`.
# To try it:  source <({name} completions bash)
# To keep it: {name} completions bash > ~/.local/share/bash-completion/completions/{name}
# (needs the package bash-completion; without it, source the file in ~/.bashrc)

_{name}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} place={name} option='' words='' action=''
  local -i i given=0 only_positionals=0
  local word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    # Bash cuts --option=value and name:key=value into words at = and :.
    if [[ $word == [=:] ]]; then
      if ((i + 1 < COMP_CWORD)); then option=''; elif [[ $word == : || ! $option ]]; then return; fi
      i+=1
      continue
    fi
    if [[ $option ]]; then
      option=''
    elif ((only_positionals)); then
      given+=1
    elif [[ $word == -- ]]; then
      only_positionals=1
    elif [[ $word == -* ]]; then
      case "$place $word" in
{valued}      esac
    else
      case "$place $word" in
{places}        *) given+=1 ;;
      esac
    fi
  done
  if [[ $current == = && $option ]]; then current=''; fi
  if [[ $current == [=:] ]]; then return; fi

  if [[ ! $option && $current == -* ]] && ((!only_positionals)); then
      case $place in
{options}      esac
  else
    if [[ ! $option ]] && ((!given)); then
      case $place in
{verbs}      esac
    fi
      case "$place ${{option:-$given}}" in
{offers}      esac
  fi
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $action ]]; then
    compopt -o filenames 2>/dev/null || :  # not while completing: a test
    mapfile -t COMPREPLY < <(compgen -A "$action" -- "$current")
  fi
}}

complete -F _{name} {name}
)",
      fmt::arg("name", top.name), fmt::arg("valued", tables.valued),
      fmt::arg("places", tables.places), fmt::arg("options", tables.options),
      fmt::arg("verbs", tables.verbs), fmt::arg("offers", tables.offers));
}

}  // namespace plumbline::cli
