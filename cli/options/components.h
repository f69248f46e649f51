// Presets and components (learners, calibrators, policies, ...) as they are named on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/words.h"
#include "plumbline/options.h"

namespace plumbline::cli {

// A component as completions know it.
struct ComponentInfo {
  std::string name;
  const std::vector<OptionInfo>& options;
};
// The name of a component, or behind "name:" one of its options, or behind "option=" one of its choices.
Words offer_specs(const std::vector<ComponentInfo>& family, std::string_view word);

// Of the members of a family: offer_specs_of<learners>.
template <auto registry>
Words offer_specs_of(std::string_view word) {
  std::vector<ComponentInfo> family;
  for (const auto& row : registry().rows()) family.push_back({row.name, row.options});
  return offer_specs(family, word);
}

// Items between commas; but commas also separate the options of one component:
// "fixed:every=4,ucb1,logistic:penalty=l1,alpha=0.01" has three items.
Words split_specs(const Words& texts);

Words offer_presets(std::string_view word);

// The names of all presets and components, for the end of the help.
std::string list_of_components();

}  // namespace plumbline::cli
