#include "plumbline/policy.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::array<std::pair<Action, std::string_view>, kActionCount> kActions{
    {{Action::train, "train"},
     {Action::calibrate, "calibrate"},
     {Action::both, "both"},
     {Action::skip, "skip"}}};

}  // namespace

std::string_view name_of(Action action) {
  return kActions[static_cast<std::size_t>(action)].second;
}

Action action_named(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [action, text] : kActions) {
    if (text == name) return action;
    names.emplace_back(text);
  }
  refuse_name("action", name, names);
}

std::size_t index_of(Action action, std::span<const Action> actions, std::string_view who) {
  const auto found = std::find(actions.begin(), actions.end(), action);
  if (found == actions.end()) {
    throw Error(ErrorKind::config, fmt::format("{} needs the action '{}' in the list of actions",
                                               who, name_of(action)));
  }
  return static_cast<std::size_t>(found - actions.begin());
}

}  // namespace plumbline::inline v0
