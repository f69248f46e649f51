#include "cli/shell/usage.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/shell/values.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/error.h"
#include "plumbline/base/options.h"

namespace plumbline::cli {
namespace {

constexpr int kUsageError = 2;

// The verbs that were given, from the program down: the mistake is in the last.
std::vector<const CLI::App*> given_verbs(const CLI::App& program) {
  std::vector<const CLI::App*> path{&program};
  while (!path.back()->get_subcommands().empty()) {
    path.push_back(path.back()->get_subcommands().back());
  }
  return path;
}

std::string typed(const std::vector<const CLI::App*>& path) {
  std::string text;
  for (const CLI::App* app : path) text += (text.empty() ? "" : " ") + app->get_name();
  return text;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_name().empty() && !verb->get_group().empty()) names.push_back(verb->get_name());
  }
  return names;
}

void collect_long_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    const auto& longs = option->get_lnames();
    names.insert(names.end(), longs.begin(), longs.end());
  }
  for (const CLI::App* child : app.get_subcommands({})) {
    if (child->get_name().empty()) collect_long_names(*child, names);  // a group of options
  }
}

std::string unknown_option(const CLI::App& app, const std::string& given) {
  const std::string name = given.substr(0, given.find('='));
  std::vector<std::string> known;
  collect_long_names(app, known);
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  const std::optional<std::string> meant = nearest(std::string_view(name).substr(dashes), known);
  return fmt::format("unknown option '{}' of {}{}", name, app.get_name(),
                     meant ? fmt::format("; did you mean '--{}'?", *meant) : "");
}

// What is wrong with the words that CLI11 could not place, if there are any. An unknown option is
// named before anything else: what CLI11 finds missing is often only misspelt.
std::optional<std::string> unplaced(const CLI::App& app) {
  std::vector<std::string> words = app.remaining();
  words.erase(std::remove(words.begin(), words.end(), "--"), words.end());
  if (words.empty()) return std::nullopt;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const std::vector<std::string> verbs = verbs_of(app);
  // The options behind an unknown verb are that verb's.
  const auto end = verbs.empty() ? words.end() : words.begin() + 1;
  const auto option = std::find_if(words.begin(), end, is_option);
  if (option != end) return unknown_option(app, *option);
  if (verbs.empty()) return fmt::format("unexpected argument '{}'", words.front());
  try {
    refuse_name("verb", words.front(), verbs);
  } catch (const Error& error) {
    return error.what();
  }
}

// CLI11's own sentence, or a better one.
std::string sentence(const CLI::ParseError& error) {
  const std::string text = error.what();
  // "--runs: 1 required UINT:INT in [1 - 100000] missing"
  if (error.get_name() == "ArgumentMismatch" && text.ends_with(" missing")) {
    return text.substr(0, text.find(':')) + " needs a value";
  }
  return text;
}

}  // namespace

int answer(const CLI::App& program, const CLI::ParseError& error) {
  std::vector<const CLI::App*> path = given_verbs(program);
  const bool takes_verb = !verbs_of(*path.back()).empty();
  std::optional<std::string> mistake;
  if (error.get_exit_code() == 0) {
    // `plumbline VERB --help` is answered whatever else is there, unless there is no such verb.
    if (takes_verb) mistake = unplaced(*path.back());
    if (!mistake) {
      // CLI11 gives the version in its error, and leaves the help to be asked for.
      print(error.get_name() == "CallForVersion" ? std::string(error.what()) + "\n"
                                                 : program.help());
      return 0;
    }
  }
  for (std::size_t length = 1; !mistake && length <= path.size(); ++length) {
    mistake = unplaced(*path[length - 1]);
    if (mistake) path.resize(length);
  }
  if (!mistake && takes_verb && error.get_name() == "RequiredError") {
    show(program.help());
    return kUsageError;
  }
  show(fmt::format("{}: {}\nrun '{} --help' to see what it takes\n", program.get_name(),
                   mistake.value_or(sentence(error)), typed(path)));
  return kUsageError;
}

void add_help(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("help", "Print the help of a verb, like VERB --help");
  verb->group("Help");
  const auto names = std::make_shared<std::vector<std::string>>();
  offer_values(verb->add_option("verb", *names, "The verb; without one, the help of the program"),
               verbs_of(program));
  verb->callback([&program, names] {
    const CLI::App* app = &program;
    std::string before;
    for (const std::string& name : *names) {
      const std::vector<std::string> known = verbs_of(*app);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        refuse_name("verb", name, known);
      }
      before += (before.empty() ? "" : " ") + app->get_name();
      app = app->get_subcommand(name);
    }
    print(app->get_formatter()->make_help(
        app, before.empty() ? app->get_name() : before + " " + app->get_name(),
        CLI::AppFormatMode::Normal));
  });
}

}  // namespace plumbline::cli
