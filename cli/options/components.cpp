#include "cli/options/components.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/calibrator.h"
#include "plumbline/companions/companion.h"
#include "plumbline/config.h"
#include "plumbline/learner.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::cli {
namespace {

std::string list(const Words& names) {
  const Words lines = wrap(fmt::format("{}", fmt::join(names, ", ")), 81);
  return fmt::format("{}", fmt::join(lines, fmt::format("\n{:15}", "")));
}

Words option_names(const std::vector<OptionInfo>& options) {
  Words names;
  for (const OptionInfo& option : options) names.push_back(option.name + "=");
  return names;
}

Words choices_of(const std::vector<OptionInfo>& options, std::string_view name) {
  const auto option = std::ranges::find(options, name, &OptionInfo::name);
  return option == options.end() ? Words() : option->choices;
}

}  // namespace

Words offer_specs(const std::vector<ComponentInfo>& family, std::string_view word) {
  const std::size_t colon = word.find(':');
  Words offers;
  if (colon == std::string_view::npos) {
    for (const ComponentInfo& component : family) offers.push_back(component.name);
    return offers;
  }
  const auto found = std::ranges::find(family, word.substr(0, colon), &ComponentInfo::name);
  if (found == family.end()) return {};
  const std::size_t last = word.find_last_of(":,") + 1, equals = word.find('=', last);
  offers = equals == std::string_view::npos
               ? option_names(found->options)
               : choices_of(found->options, word.substr(last, equals - last));
  const std::string before(word.substr(0, equals == std::string_view::npos ? last : equals + 1));
  for (std::string& offer : offers) offer.insert(0, before);
  return offers;
}

Words offer_presets(std::string_view) {
  Words names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

Words split_specs(const Words& texts) {
  Words specs;
  for (const std::string& text : texts) {
    bool first = true;
    for (const std::string& piece : split(text, ',')) {
      const std::size_t equals = piece.find('=');
      const bool option = equals != std::string::npos && piece.find(':') >= equals;
      if (option && !first) {
        specs.back() += "," + piece;
      } else {
        specs.push_back(piece);
      }
      first = false;
    }
  }
  return specs;
}

Words offer_companions(std::string_view word) {
  std::vector<ComponentInfo> family;
  for (const auto& row : companions().rows()) family.push_back({row.name, row.options});
  for (const auto& row : learners().rows()) family.push_back({row.name, row.options});
  return offer_specs(family, word);
}

std::string list_of_components() {
  std::string text = "Presets:\n";
  for (const Preset& preset : presets()) {
    text += fmt::format("  {:<12} {}\n", preset.name, preset.summary);
  }
  return text + fmt::format(
                    "Components, each with options after a colon (name:option=value,option=value; "
                    "'plumbline "
                    "config' lists them):\n"
                    "  learners     {}\n"
                    "  companions   {}, or any learner\n"
                    "  calibrators  {}\n"
                    "  policies     {}\n"
                    "  rewards      {}\n",
                    list(offer_specs_of<learners>("")), list(offer_specs_of<companions>("")),
                    list(offer_specs_of<calibrators>("")), list(offer_specs_of<policies>("")),
                    list(offer_specs_of<rewards>("")));
}

}  // namespace plumbline::cli
