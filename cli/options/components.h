// Presets and components (learners, calibrators, policies, …) on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/words.h"
#include "plumbline/options.h"

namespace plumbline::cli {

// The description of a component for completions.
struct ComponentInfo {
  std::string name;
  const std::vector<OptionInfo>& options;
};
// Completions of a word: names of components, after "name:" the component's options, after "option=" its choices.
Words offer_specs(const std::vector<ComponentInfo>& family, std::string_view word);

// Completions for the members of a family: offer_specs_of<learners>.
template <auto registry>
Words offer_specs_of(std::string_view word) {
  std::vector<ComponentInfo> family;
  for (const auto& row : registry().rows()) family.push_back({row.name, row.options});
  return offer_specs(family, word);
}

// Completions for companions: their own family, and all learners.
Words offer_companions(std::string_view word);

// Splits at commas, except between the options of one component:
// "fixed:every=4,ucb1,logistic:penalty=l1,alpha=0.01" has three items.
Words split_specs(const Words& texts);

Words offer_presets(std::string_view word);

// The names of all presets and components, for the help.
std::string list_of_components();

}  // namespace plumbline::cli
