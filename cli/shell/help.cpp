#include "cli/shell/help.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/command_line.h"
#include "cli/options/value.h"
#include "cli/output/output.h"
#include "plumbline/options.h"

namespace plumbline::cli {
namespace {

constexpr std::size_t kIndent = 28;  // of the meanings
constexpr std::size_t kWidth = 100;

std::string line(const std::string& name, const std::string& meaning) {
  const std::string indent(kIndent, ' ');
  const std::string gap =
      name.size() + 2 < kIndent ? indent.substr(name.size() + 2) : "\n" + indent;
  const Words lines = wrap(meaning, kWidth - kIndent);
  return fmt::format("  {}{}{}\n", name, gap, fmt::join(lines, "\n" + indent));
}

std::string option_line(const Option& option) {
  std::string name = fmt::format("{}", fmt::join(option.names, ","));
  if (!option.metavar.empty()) name += " " + option.metavar;
  if (option.value.repeatable) name += " ...";
  std::string meaning = option.help;
  if (!option.fallback.empty()) meaning += fmt::format(" [{}]", option.fallback);
  if (option.required && !option.positional()) meaning += " (required)";
  return line(name, meaning);
}

// Lines under headings, in the order in which the headings first appear.
class Sections {
 public:
  void add(const std::string& title, const std::string& line) {
    const auto found = std::ranges::find(list_, title, &Section::first);
    if (found == list_.end())
      list_.emplace_back(title, line);
    else
      found->second += line;
  }

  std::string text() const {
    std::string text;
    for (const auto& [title, lines] : list_) text += fmt::format("\n{}:\n{}", title, lines);
    return text;
  }

 private:
  using Section = std::pair<std::string, std::string>;
  std::vector<Section> list_;
};

// The verb that the words name.
VerbPath find_path(const Verb& program, const Words& names) {
  VerbPath path{&program};
  for (const std::string& name : names) {
    const Verb* below = find_verb(*path.back(), name);
    if (below == nullptr) refuse_name("verb", name, verb_names(*path.back()));
    path.push_back(below);
  }
  return path;
}

}  // namespace

std::string usage(const VerbPath& path) {
  std::string text = typed(path) + " [OPTIONS]";
  for (const Option& positional : path.back()->positionals) {
    const std::string name = positional.name() + (positional.value.repeatable ? "..." : "");
    text += positional.required ? " " + name : " [" + name + "]";
  }
  return text + (path.back()->verbs.empty() ? "" : " VERB");
}

std::string help_text(const VerbPath& path) {
  const Verb& verb = *path.back();
  Sections sections;
  for (const Option& option : verb.positionals) sections.add("Positionals", option_line(option));
  for (const Option& option : verb.options) {
    if (!option.hidden) {
      sections.add(option.group.empty() ? "Options" : option.group, option_line(option));
    }
  }
  for (const Verb& below : verb.verbs) {
    if (!below.hidden()) sections.add(below.group, line(below.name, below.summary));
  }
  std::string text = fmt::format("{}\nUsage: {}\n{}", verb.summary, usage(path), sections.text());
  const std::string notes = notes_of(verb);
  if (!notes.empty() || !verb.examples.empty()) text += "\n" + notes;
  if (!verb.examples.empty())
    text += fmt::format("Examples:\n  {}\n", fmt::join(verb.examples, "\n  "));
  return text;
}

void add_help_option(Verb& verb) {
  verb.options.insert(verb.options.begin(), Option{.names = {"-h", "--help"},
                                                   .help = "Print this help message and exit",
                                                   .answer = help_text});
  for (Verb& below : verb.verbs) add_help_option(below);
}

Verb help_verb() {
  const auto names = std::make_shared<Words>();
  return {.name = "help",
          .summary = "Print the help of a verb, like VERB --help",
          .group = "Help",
          .positionals = {{.names = {"verb"},
                           .help = "The verb; without one, the help of the program",
                           .completion = Completion::verbs,
                           .value = texts(*names)}},
          .run = [names](const CommandLine& line) {
            print(help_text(find_path(line.program(), *names)));
          }};
}

}  // namespace plumbline::cli
