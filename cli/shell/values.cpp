#include "cli/shell/values.h"

#include <utility>

namespace plumbline::cli {
namespace {

constexpr const char* kName = "offered values";

// What CLI11 writes for a set or a map of choices: {a,b,c} or {a->1,b->2}.
std::vector<std::string> split_choices(const std::string& text) {
  const std::size_t open = text.find('{');
  const std::size_t close = text.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> choices =
      CLI::detail::split(text.substr(open + 1, close - open - 1), ',');
  for (std::string& choice : choices) choice = choice.substr(0, choice.find("->"));
  return choices;
}

}  // namespace

CLI::Option* offer_values(CLI::Option* option, const std::vector<std::string>& values) {
  // A check that is switched off: it belongs to the option, is not in the help and refuses nothing.
  return option->check(CLI::IsMember(values).active(false), kName);
}

std::vector<std::string> values_of(CLI::Option& option) {
  try {
    const CLI::Validator& offered = *option.get_validator(kName);
    return split_choices(offered.active().get_description());  // of a copy that is switched on
  } catch (const CLI::OptionNotFound&) {
    return split_choices(option.get_type_name());
  }
}

}  // namespace plumbline::cli
