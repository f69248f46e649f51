#include "cli/options/parser.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/error.h"
#include "plumbline/options.h"

namespace plumbline::cli {
namespace {

bool looks_like_option(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const bool number = word[1] == '.' || std::isdigit(static_cast<unsigned char>(word[1])) != 0;
  return !number;
}

// The name in --name=value.
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

Words split_values(const Words& words, char separator) {
  if (separator == '\0') return words;
  Words values;
  for (const std::string& word : words) {
    for (std::string& piece : split(word, separator)) {
      if (word.empty() || !piece.empty()) values.push_back(std::move(piece));
    }
  }
  return values;
}

std::string unknown_option(const Verb& verb, const std::string& word) {
  const std::string name = name_of(word);
  Words candidates;
  for (const Option& option : verb.options) {
    if (!option.hidden) candidates.push_back(option.name().substr(2));
  }
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  const auto meant = nearest(std::string_view(name).substr(dashes), candidates);
  return fmt::format("unknown option '{}' of {}{}", name, verb.name,
                     meant ? fmt::format("; did you mean '--{}'?", *meant) : "");
}

// The message of refuse_name.
std::string unknown_name(const char* what, const std::string& name, const Words& candidates) try {
  refuse_name(what, name, candidates);
} catch (const Error& error) {
  return error.what();
}

class Parser {
 public:
  Parser(const Verb& program, const Words& words, std::size_t following)
      : words_(words), following_(following) {
    parsed_.path = {&program};
  }

  Parsed parse() {
    while (at_ < words_.size() && !parsed_.lost) {
      parsed_.open = nullptr;
      take(words_[at_++]);
    }
    if (!unexpected_.empty()) mistake(fmt::format("unexpected argument '{}'", unexpected_));
    check_requirements();
    return std::move(parsed_);
  }

 private:
  const Verb& verb() const { return *parsed_.path.back(); }

  // Keeps the first mistake: later ones are often only its consequences.
  void mistake(std::string sentence) {
    if (!parsed_.mistake) parsed_.mistake = {std::move(sentence), parsed_.path};
  }

  void take(const std::string& word) {
    if (!parsed_.only_positionals && word == "--") {
      parsed_.only_positionals = true;
    } else if (!parsed_.only_positionals && looks_like_option(word)) {
      word[1] == '-' ? take_long(word) : take_short(word);
    } else if (!verb().verbs.empty()) {
      take_verb(word);
    } else {
      take_positional(word);
    }
  }

  void take_verb(const std::string& word) {
    if (const Verb* below = find_verb(verb(), word)) {
      parsed_.path.push_back(below);
      parsed_.arguments.clear();
      return;
    }
    mistake(unknown_name("verb", word, verb_names(verb())));
    parsed_.answer = nullptr;
    parsed_.lost = true;
  }

  void take_positional(const std::string& word) {
    if (const Option* positional = next_positional(parsed_)) {
      add(*positional, {word});
    } else if (unexpected_.empty()) {
      unexpected_ = word;
    }
  }

  void take_long(const std::string& word) {
    const Option* option = find_option(verb(), name_of(word));
    const std::size_t equals = word.find('=');
    if (option == nullptr) return mistake(unknown_option(verb(), word));
    if (equals == std::string::npos) return take_values(*option, "");
    if (!option->takes_value()) return mistake(option->name() + " takes no value");
    if (equals + 1 == word.size()) return mistake(option->name() + " needs a value");
    take_values(*option, word.substr(equals + 1));
  }

  // Takes one or several flags, or an option whose value may be in the same word.
  void take_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Option* option = find_option(verb(), std::string{'-', word[i]});
      if (option == nullptr) return mistake(unknown_option(verb(), word));
      take_values(*option, option->takes_value() ? word.substr(i + 1) : "");
      if (option->takes_value()) return;
    }
  }

  // If `first` is empty, the value is the next word.
  void take_values(const Option& option, const std::string& first) {
    if (!option.takes_value()) return add(option, {});
    Words words = first.empty() ? Words() : Words{first};
    parsed_.open = &option;
    if (words.empty() && !take_value(words)) return mistake(missing_value(option));
    if (option.value.repeatable) take_list(words);
    if (!option.value.repeatable) parsed_.open = nullptr;
    words = split_values(words, option.value.separator);
    words.empty() ? mistake(option.name() + " needs a value") : add(option, words);
  }

  // Returns false if there is no value: the command line ends, or the next word is another option.
  bool take_value(Words& words) {
    parsed_.needs_value = at_ == words_.size();
    if (parsed_.needs_value || find_option(verb(), name_of(words_[at_])) != nullptr) return false;
    words.push_back(words_[at_++]);
    return true;
  }

  std::string missing_value(const Option& option) const {
    const std::string text = option.name() + " needs a value";
    return at_ == words_.size() ? text
                                : fmt::format("{}, and '{}' is an option", text, words_[at_]);
  }

  void take_list(Words& words) {
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(
        verb().positionals,
        [&](const Option& option) { return option.required && find(option) == nullptr; }));
    while (at_ < words_.size() && words_.size() + following_ - at_ > missing &&
           words_[at_] != "--" && !looks_like_option(words_[at_])) {
      words.push_back(words_[at_++]);
    }
  }

  Argument* find(const Option& option) {
    const auto found = std::ranges::find(parsed_.arguments, &option, &Argument::option);
    return found == parsed_.arguments.end() ? nullptr : &*found;
  }

  void add(const Option& option, const Words& words) {
    if (option.answer && parsed_.answer == nullptr) parsed_.answer = &option;
    Argument* before = find(option);
    if (before == nullptr) {
      parsed_.arguments.push_back({&option, words});
    } else if (option.value.repeatable) {
      before->words.insert(before->words.end(), words.begin(), words.end());
    } else if (option.takes_value()) {
      mistake(option.name() + " is given twice");
    }
  }

  bool is_given(const std::string& name) {
    const Option* option = find_option(verb(), name);
    return option != nullptr && find(*option) != nullptr;
  }

  void check_requirements() {
    for (const auto* list : {&verb().positionals, &verb().options}) {
      for (const Option& option : *list) {
        if (option.required && find(option) == nullptr) mistake(missing(option));
      }
    }
    for (const Argument& argument : parsed_.arguments) {
      for (const std::string& other : argument.option->needs) {
        if (!is_given(other)) mistake(argument.option->name() + " requires " + other);
      }
      for (const std::string& other : argument.option->excludes) {
        if (is_given(other)) mistake(argument.option->name() + " excludes " + other);
      }
    }
  }

  // A positional may have been parsed as a value of an option before it.
  std::string missing(const Option& option) const {
    std::string text = option.name() + " is required";
    const auto list = std::ranges::find_if(
        parsed_.arguments, [](const Argument& argument) { return argument.words.size() > 1; });
    if (!option.positional() || list == parsed_.arguments.end()) return text;
    return text + fmt::format("; write it before {}, which takes all words that follow it",
                              list->option->name());
  }

  const Words& words_;
  std::size_t following_;
  std::size_t at_ = 0;
  Parsed parsed_;
  std::string unexpected_;  // the first word that is not an option, a value or a positional
};

void check_choice(const Option& option, const std::string& word) {
  if (option.choices.empty() || std::ranges::find(option.choices, word) != option.choices.end()) {
    return;
  }
  refuse_name("value", word, option.choices);
}

}  // namespace

Parsed parse(const Verb& program, const Words& words, std::size_t following) {
  return Parser(program, words, following).parse();
}

const Option* next_positional(const Parsed& parsed) {
  for (const Option& positional : parsed.path.back()->positionals) {
    const bool given = std::ranges::find(parsed.arguments, &positional, &Argument::option) !=
                       parsed.arguments.end();
    if (!given || positional.value.repeatable) return &positional;
  }
  return nullptr;
}

void store(const std::vector<Argument>& arguments) {
  for (const auto& [option, words] : arguments) {
    try {
      for (const std::string& word : words) check_choice(*option, word);
      if (option->value.set) option->value.set(words);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", option->name(), error.what()));
    }
  }
}

}  // namespace plumbline::cli
