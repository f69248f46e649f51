#include "cli/options/command_line.h"

#include <algorithm>
#include <utility>

namespace plumbline::cli {
namespace {

bool begins_with_dash(const std::string& word) { return word.starts_with('-') && word != "-"; }

std::string option_text(const Given& given) {
  const std::string& name = given.option->name();
  if (given.words.empty()) return " " + name;
  std::string text;
  for (const std::string& word : given.words) {
    // A value that begins with a dash could be taken for an option.
    text += " " + name + (begins_with_dash(word) ? "=" : " ") + shell_word(word);
  }
  return text;
}

}  // namespace

CommandLine::CommandLine(std::string program, VerbPath path, std::vector<Given> given)
    : called_by_(std::move(program)), path_(std::move(path)), given_(std::move(given)) {}

CommandLine& CommandLine::remove(std::string_view name) {
  std::erase_if(given_, [&](const Given& given) { return given.option->name() == name; });
  return *this;
}

CommandLine& CommandLine::remove_kept_in_model() {
  std::erase_if(given_, [](const Given& given) { return given.option->kept_in_model; });
  return *this;
}

CommandLine& CommandLine::set_words(std::string_view name, const Words& words) {
  remove(name).given_.insert(given_.begin(), {find_option(*path_.back(), name), words});
  return *this;
}

CommandLine& CommandLine::set(std::string_view name, const std::string& value) {
  return set_words(name, {value});
}

CommandLine& CommandLine::set(std::string_view name) { return set_words(name, {}); }

std::string CommandLine::text() const {
  std::string positionals, options;
  bool dashes = false;
  for (const Given& given : given_) {
    if (!given.option->positional()) options += option_text(given);
    for (const std::string& word : given.option->positional() ? given.words : Words()) {
      positionals += " " + shell_word(word);
      dashes = dashes || begins_with_dash(word);
    }
  }
  std::string text = shell_word(called_by_);
  for (const Verb* verb : VerbPath(path_.begin() + 1, path_.end())) text += " " + verb->name;
  return text + (dashes ? options + " --" + positionals : positionals + options);
}

}  // namespace plumbline::cli
