#include "cli/options/command_line.h"

#include <algorithm>

#include "cli/output/shell_word.h"

namespace plumbline::cli {

CommandLine::CommandLine(const std::string& program, const CLI::App& verb)
    : program_(program), verb_(verb.get_name()) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    if (option->get_positional()) {
      positionals_ = option->results();
    } else {
      const bool flag = option->get_items_expected_max() == 0;
      options_.emplace_back("--" + option->get_lnames().front(),
                            flag ? std::vector<std::string>{} : option->results());
    }
  }
}

CommandLine& CommandLine::remove(std::string_view name) {
  std::erase_if(options_, [&](const auto& option) { return option.first == name; });
  return *this;
}

CommandLine& CommandLine::set(const std::string& name, const std::string& value) {
  remove(name).options_.insert(options_.begin(), {name, {value}});
  return *this;
}

CommandLine& CommandLine::set(const std::string& name) {
  remove(name).options_.insert(options_.begin(), {name, {}});
  return *this;
}

std::string CommandLine::text() const {
  std::string text = shell_word(program_) + " " + verb_;
  for (const std::string& path : positionals_) {
    text += " " + shell_word(path.starts_with('-') && path != "-" ? "./" + path : path);
  }
  for (const auto& [name, values] : options_) {
    if (values.empty()) text += " " + name;
    for (const std::string& value : values) {
      // A value that begins with a dash would be taken for an option.
      text += " " + name + (value.starts_with('-') && value != "-" ? "=" : " ") + shell_word(value);
    }
  }
  return text;
}

}  // namespace plumbline::cli
