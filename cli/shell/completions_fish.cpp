// Completion for fish: one line of `complete` for each verb, option and positional.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completions.h"

namespace plumbline::cli {
namespace {

std::string quote_for_fish(std::string text) {
  return "'" + replace_all(replace_all(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_offer(const Argument& argument) {
  switch (argument.offer) {
    case Offer::values:
      return " -a " + quote_for_fish(fmt::format("{}", fmt::join(argument.values, " ")));
    case Offer::files:
      return " -F";
    case Offer::folders:
      return " -a '(__fish_complete_directories)'";
    case Offer::nothing:
      break;
  }
  return "";
}

std::string fish_option(const Argument& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
  }
  if (option.takes_value()) {
    text += (option.offer == Offer::files ? " -r" : " -x") + fish_offer(option);
  }
  return text + " -d " + quote_for_fish(option.description);
}

// The lines of a verb: what may follow it.
std::string fish_lines(const Verb& verb, const std::string& program) {
  std::string text;
  const auto add = [&](const std::string& number, const std::string& rest) {
    const std::string at = fmt::format("__{}_at {}{}", program, quote_for_fish(verb.path), number);
    text += fmt::format("complete -c {} -n {}{}\n", program, quote_for_fish(at), rest);
  };
  for (const Verb& below : verb.verbs) {
    for (const std::string& name : below.spellings()) {
      add(" 0", " -a " + name + " -d " + quote_for_fish(below.description));
    }
  }
  for (const Argument& option : verb.options) add("", fish_option(option));
  for (std::size_t i = 0; i < verb.positionals.size(); ++i) {
    const Argument& positional = verb.positionals[i];
    const std::string offer = fish_offer(positional);
    if (offer.empty()) continue;
    add(positional.repeated ? "" : fmt::format(" {}", i), offer);
  }
  return text;
}

}  // namespace

std::string fish_script(const Verb& top) {
  std::string places, valued, lines;
  for (const Verb* verb : flatten(top)) {
    for (const Verb& below : verb->verbs) {
      for (const std::string& name : below.spellings()) {
        places += fmt::format("            case {}\n                set place {}\n",
                              quote_for_fish(verb->path + " " + name), quote_for_fish(below.path));
      }
    }
    for (const Argument& option : verb->options) {
      if (!option.takes_value()) continue;
      for (const std::string& name : option.names) {
        valued += " " + quote_for_fish(verb->path + " " + name);
      }
    }
    lines += fish_lines(*verb, top.name);
  }
  return fmt::format(
      R"(# Completion of {name} for fish, written by `{name} completions fish`.
# To try it:  {name} completions fish | source
# To keep it: {name} completions fish > ~/.config/fish/completions/{name}.fish

# Whether the cursor is behind the verbs $argv[1] (and $argv[2] positional arguments, if given).
function __{name}_at
    set -l place {name}
    set -l given 0
    set -l skip 0
    set -l words (commandline -opc)
    for word in $words[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$place $word"
{places}            case{valued}
                set skip 1
            case "$place -*"
            case '*'
                set given (math $given + 1)
        end
    end
    test "$place" = "$argv[1]"; and begin
        not set -q argv[2]; or test $given = $argv[2]
    end
end

complete -c {name} -f
{lines})",
      fmt::arg("name", top.name), fmt::arg("places", places), fmt::arg("valued", valued),
      fmt::arg("lines", lines));
}

}  // namespace plumbline::cli
