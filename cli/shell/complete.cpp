#include "cli/shell/complete.h"

#include <algorithm>
#include <memory>

#include "cli/options/command_line.h"
#include "cli/options/value.h"
#include "cli/output/output.h"

namespace plumbline::cli {
namespace {

std::string lines(const std::string& prefix, const Words& words) {
  std::string text;
  for (const std::string& word : words) text += prefix + word + "\n";
  return text;
}

std::string verb_lines(const Verb& verb) {
  std::string text;
  for (const Verb& below : verb.verbs) {
    if (!below.hidden()) text += below.name + "\t" + below.summary + "\n";
  }
  return text;
}

// The subverbs of the verbs that follow `help`.
std::string verb_lines(const Parsed& parsed) {
  const Verb* verb = parsed.path.front();
  for (const Argument& argument : parsed.arguments) {
    for (const std::string& word : argument.words) {
      verb = find_verb(*verb, word);
      if (verb == nullptr) return "";
    }
  }
  return verb_lines(*verb);
}

std::string option_lines(const Parsed& parsed) {
  std::string text;
  for (const Option& option : parsed.path.back()->options) {
    const bool given =
        std::ranges::find(parsed.arguments, &option, &Argument::option) != parsed.arguments.end();
    if (option.hidden || (given && !option.value.repeatable)) continue;
    for (const std::string& name : option.names) text += name + "\t" + option.help + "\n";
  }
  return text;
}

// `prefix` precedes the value in the same word: "--format=".
std::string value_lines(const Option& option, const Parsed& parsed, std::string_view value,
                        const std::string& prefix = "") {
  switch (option.completion) {
    case Completion::files:
      return ":files\n";
    case Completion::folders:
      return ":folders\n";
    case Completion::verbs:
      return verb_lines(parsed);
    case Completion::nothing:
      break;
  }
  return lines(prefix, option.offers ? option.offers(value) : option.choices);
}

std::string plain_lines(const Parsed& parsed, std::string_view word) {
  std::string text = verb_lines(*parsed.path.back());
  if (parsed.open != nullptr) text += value_lines(*parsed.open, parsed, word);
  const Option* positional = next_positional(parsed);
  return text + (positional == nullptr ? "" : value_lines(*positional, parsed, word));
}

}  // namespace

std::string complete(const Verb& program, Words words) {
  const std::string word = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  const Parsed parsed = parse(program, words, /*following=*/1);
  if (parsed.lost) return "";
  if (parsed.needs_value) return value_lines(*parsed.open, parsed, word);
  if (parsed.only_positionals || !word.starts_with('-')) return plain_lines(parsed, word);
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return option_lines(parsed);
  const Option* option = find_option(*parsed.path.back(), word.substr(0, equals));
  if (option == nullptr) return "";
  return value_lines(*option, parsed, word.substr(equals + 1), word.substr(0, equals + 1));
}

Verb complete_verb() {
  const auto words = std::make_shared<Words>();
  return {.name = "__complete",
          .summary = "Complete a command line, for the shell",
          .group = "",
          .positionals = {{.names = {"word"}, .value = texts(*words)}},
          .run = [words](const CommandLine& line) { print(complete(line.program(), *words)); }};
}

}  // namespace plumbline::cli
