// Every verb of the tool: its table is whole, and a command line of it is the same after it has been printed.

#include "cli/options/command_line.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "cli/verbs/verbs.h"
#include "tests/cli/shell_words.h"

namespace plumbline::cli {
namespace {

const Verb& program() {
  static const Verb table = plumbline_program();
  return table;
}

void collect(const VerbPath& path, std::vector<VerbPath>& list) {
  if (path.back()->verbs.empty()) list.push_back(path);
  for (const Verb& below : path.back()->verbs) {
    VerbPath longer = path;
    longer.push_back(&below);
    collect(longer, list);
  }
}

// Those that do the work.
std::vector<VerbPath> all_verbs() {
  std::vector<VerbPath> list;
  collect({&program()}, list);
  return list;
}

std::vector<const Option*> all_options(const Verb& verb) {
  std::vector<const Option*> list;
  for (const auto* part : {&verb.positionals, &verb.options}) {
    for (const Option& option : *part) list.push_back(&option);
  }
  return list;
}

// A value of each option, as odd as it may be.
Words value_of(const Option& option, const std::string& odd) {
  if (!option.takes_value()) return {};
  const std::string word = option.choices.empty() ? odd : option.choices.back();
  return option.value.repeatable ? Words{word, word} : Words{word};
}

// All options of a verb, but those that are answered or exclude another one.
std::vector<Argument> everything(const Verb& verb, const std::string& odd) {
  std::vector<Argument> arguments;
  std::set<std::string> names;
  for (const Option* option : all_options(verb)) {
    const auto is_there = [&](const std::string& name) { return names.contains(name); };
    const auto excludes_it = [&](const Argument& other) {
      return std::ranges::count(other.option->excludes, option->name()) > 0;
    };
    if (option->answer || std::ranges::any_of(option->excludes, is_there) ||
        std::ranges::any_of(arguments, excludes_it)) {
      continue;
    }
    arguments.push_back({option, value_of(*option, odd)});
    names.insert(option->name());
  }
  return arguments;
}

std::vector<Argument> sorted(std::vector<Argument> arguments) {
  std::ranges::sort(arguments, {}, &Argument::option);
  return arguments;
}

TEST(CommandLines, OfEveryVerbAreTheSameAfterPrinting) {
  for (const VerbPath& path : all_verbs()) {
    for (const char* odd : {"plain", "it's $x \"y\"", "-1", "--seed", "--", "-", "", " ", "a\nb"}) {
      const CommandLine line("odd path/plumb'line", path, everything(*path.back(), odd));
      Words words = cut_by_shell(line.text());
      ASSERT_EQ(words.at(0), "odd path/plumb'line");
      words.erase(words.begin());
      const Parsed parsed = parse(program(), words);
      EXPECT_EQ(parsed.mistake ? parsed.mistake->sentence : "", "") << line.text();
      EXPECT_EQ(parsed.path, path);
      EXPECT_TRUE(sorted(parsed.arguments) == sorted(line.arguments())) << line.text();
    }
  }
}

TEST(CommandLines, PutWhatIsSetFirstAndLeaveOutWhatAModelHas) {
  const Parsed parsed =
      parse(program(), {"run", "my data.csv", "--learners", "9", "--label", "-1", "--ignore", "a,b",
                        "--limit", "50", "--json", "--preset", "paper", "--cost-fp", "2"});
  CommandLine line("plumbline", parsed.path, parsed.arguments);
  line.remove_kept_in_model().set("--limit", "20").set("--append").set("--load", "m");
  EXPECT_EQ(line.text(),
            "plumbline run 'my data.csv' --load m --append --limit 20 --ignore a --ignore b --json "
            "--cost-fp 2");
}

TEST(CommandLines, MarkWhatASavedModelHas) {
  const Verb& run = *find_verb(program(), "run");
  Words kept;
  for (const Option& option : run.options) {
    if (option.kept_in_model) kept.push_back(option.name());
  }
  EXPECT_EQ(kept, (Words{"--label",        "--positive",     "--categorical",  "--missing",
                         "--sample",       "--numeric",      "--time",         "--scores",
                         "--score-input",  "--preset",       "--config",       "--learner",
                         "--companions",   "--learners",     "--calibrator",   "--policy",
                         "--multiclass",   "--score",        "--reward",       "--actions",
                         "--batch",        "--label-delay",  "--learn-budget", "--learn-burst",
                         "--label-budget", "--label-choice", "--seed",         "--set"}));
}

TEST(Tables, HaveTextsSettersAndNamesOfTheirOwn) {
  for (const VerbPath& path : all_verbs()) {
    const Verb& verb = *path.back();
    EXPECT_TRUE(verb.run) << typed(path);
    EXPECT_NE(verb.summary, "") << typed(path);
    std::set<std::string> names;
    for (const Option* option : all_options(verb)) {
      for (const std::string& name : option->names) {
        EXPECT_TRUE(names.insert(name).second) << typed(path) << ": two options are " << name;
      }
      EXPECT_TRUE(option->positional() || option->name().starts_with("--")) << option->name();
      EXPECT_TRUE(option->value.set || option->answer) << option->name();
      EXPECT_TRUE(verb.hidden() || !option->help.empty()) << typed(path) << " " << option->name();
    }
  }
}

TEST(Tables, NameOnlyOptionsThatThereAre) {
  for (const VerbPath& path : all_verbs()) {
    for (const Option* option : all_options(*path.back())) {
      for (const auto* list : {&option->needs, &option->excludes}) {
        for (const std::string& name : *list) {
          EXPECT_NE(find_option(*path.back(), name), nullptr) << option->name() << ": " << name;
        }
      }
    }
  }
}

TEST(Tables, HaveDefaultsThatMayBeGiven) {
  for (const VerbPath& path : all_verbs()) {
    for (const Option* option : all_options(*path.back())) {
      if (option->fallback.empty()) continue;
      EXPECT_NO_THROW(store({{option, {option->fallback}}})) << option->name();
    }
  }
}

}  // namespace
}  // namespace plumbline::cli
