// Completion for zsh: one function of _arguments for each verb.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completions.h"

namespace plumbline::cli {
namespace {

// The function that completes what comes after the verb: _plumbline_generate.
std::string zsh_function(const Verb& verb) {
  std::string name = "_" + verb.path;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

// Within a spec of _arguments, these characters would end its parts.
std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"}) {
    text = replace_all(std::move(text), special, std::string("\\") + special);
  }
  return text;
}

std::string zsh_action(const Argument& argument) {
  switch (argument.offer) {
    case Offer::values:
      return fmt::format("({})", fmt::join(argument.values, " "));
    case Offer::files:
      return "_files";
    case Offer::folders:
      return "_files -/";
    case Offer::nothing:
      break;
  }
  return " ";
}

// One spec of _arguments for each name; a name excludes the others unless it may be repeated.
std::vector<std::string> zsh_option(const Argument& option) {
  std::vector<std::string> specs;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    std::string spec = option.repeated           ? "*"
                       : option.names.size() > 1 ? fmt::format("({})", fmt::join(option.names, " "))
                                                 : "";
    spec += name;
    if (option.takes_value()) spec += is_long ? "=" : "+";
    spec += "[" + zsh_text(option.description) + "]";
    if (option.takes_value()) spec += ":" + zsh_text(option.type) + ":" + zsh_action(option);
    specs.push_back(quote(spec));
  }
  return specs;
}

std::string zsh_positional(const Argument& positional) {
  const char* start = positional.repeated ? "*:" : positional.required ? ":" : "::";
  return quote(start + zsh_text(positional.position) + ":" + zsh_action(positional));
}

// The part of a function that goes on to the functions of its verbs.
std::string zsh_verbs(const Verb& verb) {
  std::string names, calls;
  for (const Verb& below : verb.verbs) {
    for (const std::string& name : below.spellings()) {
      names += "        " + quote(name + ":" + below.description) + "\n";
    }
    calls +=
        fmt::format("        {}) {} ;;\n", fmt::join(below.spellings(), "|"), zsh_function(below));
  }
  return fmt::format(R"(  case $state in
    verb)
      verbs=(
{}      )
      _describe -t verbs verb verbs
      ;;
    arguments)
      case $line[1] in
{}      esac
      ;;
  esac
)",
                     names, calls);
}

std::string zsh_functions(const Verb& top) {
  std::string text;
  for (const Verb* verb : flatten(top)) {
    std::vector<std::string> specs;
    for (const Argument& option : verb->options) {
      for (const std::string& spec : zsh_option(option)) specs.push_back(spec);
    }
    for (const Argument& positional : verb->positionals) {
      specs.push_back(zsh_positional(positional));
    }
    if (!verb->verbs.empty()) {
      specs.insert(specs.end(), {"'1:verb:->verb'", "'*::argument:->arguments'"});
    }
    text += fmt::format(
        "{}() {{\n"
        "  local curcontext=$curcontext state state_descr line\n"
        "  local -A opt_args\n"
        "  local -a verbs\n"
        "  _arguments -C -s -S \\\n    {}\n{}}}\n\n",
        zsh_function(*verb), fmt::join(specs, " \\\n    "),
        verb->verbs.empty() ? "" : zsh_verbs(*verb));
  }
  return text;
}

}  // namespace

std::string zsh_script(const Verb& top) {
  return fmt::format(
      R"(#compdef {name}
# Completion of {name} for zsh, written by `{name} completions zsh`.
# To try it (after compinit): source <({name} completions zsh)
# To keep it: {name} completions zsh > DIR/_{name}, where DIR is a folder of $fpath

{functions}# Loaded by compinit, the file is the function's body; sourced, it only defines it.
if [[ $funcstack[1] == _{name} ]]; then
  _{name} "$@"
else
  compdef _{name} {name}
fi
)",
      fmt::arg("name", top.name), fmt::arg("functions", zsh_functions(top)));
}

}  // namespace plumbline::cli
