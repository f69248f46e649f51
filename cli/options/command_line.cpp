#include "cli/options/command_line.h"

#include <algorithm>
#include <utility>

namespace plumbline::cli {
namespace {

bool begins_with_dash(const std::string& word) { return word.starts_with('-') && word != "-"; }

std::string option_text(const Argument& argument) {
  const std::string& name = argument.option->name();
  if (argument.words.empty()) return " " + name;
  std::string text;
  for (const std::string& word : argument.words) {
    // A value that begins with a dash could be mistaken for an option.
    text += " " + name + (begins_with_dash(word) ? "=" : " ") + shell_word(word);
  }
  return text;
}

}  // namespace

CommandLine::CommandLine(std::string program, VerbPath path, std::vector<Argument> arguments)
    : called_by_(std::move(program)), path_(std::move(path)), arguments_(std::move(arguments)) {}

CommandLine& CommandLine::remove(std::string_view name) {
  std::erase_if(arguments_,
                [&](const Argument& argument) { return argument.option->name() == name; });
  return *this;
}

bool CommandLine::has(std::string_view name) const {
  return std::ranges::any_of(
      arguments_, [&](const Argument& argument) { return argument.option->name() == name; });
}

CommandLine& CommandLine::remove_kept_in_model() {
  std::erase_if(arguments_,
                [](const Argument& argument) { return argument.option->kept_in_model; });
  return *this;
}

CommandLine& CommandLine::set_words(std::string_view name, const Words& words) {
  remove(name).arguments_.insert(arguments_.begin(), {find_option(*path_.back(), name), words});
  return *this;
}

CommandLine& CommandLine::set(std::string_view name, const std::string& value) {
  return set_words(name, {value});
}

CommandLine& CommandLine::set(std::string_view name) { return set_words(name, {}); }

std::string CommandLine::text() const {
  std::string positionals, options;
  bool dashes = false;
  for (const Argument& argument : arguments_) {
    if (!argument.option->positional()) options += option_text(argument);
    for (const std::string& word : argument.option->positional() ? argument.words : Words()) {
      positionals += " " + shell_word(word);
      dashes = dashes || begins_with_dash(word);
    }
  }
  std::string text = shell_word(called_by_);
  for (const Verb* verb : VerbPath(path_.begin() + 1, path_.end())) text += " " + verb->name;
  return text + (dashes ? options + " --" + positionals : positionals + options);
}

}  // namespace plumbline::cli
