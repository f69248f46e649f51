// docs/components.md is generated from the registries. To update it, run the test program with
// PLUMBLINE_UPDATE_GOLDEN=1.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "plumbline/companions/companion.h"
#include "plumbline/plumbline.h"

#include "plumbline/companions/companion.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/generators/registry.h"
#include "plumbline/policies/reward_registry.h"

namespace plumbline::components_doc_test {
namespace {

constexpr const char* kPath = PLUMBLINE_TESTS_DIR "/../docs/components.md";

std::string options_table(const std::vector<OptionInfo>& options) {
  if (options.empty()) return "No options.\n\n";
  std::string text = "| option | default | allowed | |\n|---|---|---|---|\n";
  for (const OptionInfo& option : options) {
    std::string allowed;
    for (const char c : option.allowed) allowed += c == '|' ? "\\|" : std::string(1, c);
    text += fmt::format("| `{}` | {} | {} | {} |\n", option.name, to_string(option.fallback),
                        allowed, option.help);
  }
  return text + "\n";
}

template <class Registry>
std::string family(const std::string& title, const Registry& registry) {
  std::string text = fmt::format("## {}\n\n", title);
  for (const auto& row : registry.rows()) {
    std::string summary = row.summary;
    summary[0] = static_cast<char>(std::toupper(summary[0]));
    text += fmt::format("### `{}`\n\n{}.\n\n{}", row.name, summary, options_table(row.options));
  }
  return text;
}

std::string components() {
  std::string text =
      "# Components and their options\n\n"
      "A test generates this page from the registries; do not edit it. A component is written as "
      "its name, with options after a colon: `fixed:every=4`, `logistic:penalty=l1,alpha=0.01`. "
      "The header of each component starts with its formula and reference.\n\n";
  text += family("Learners", learners());
  text += family("Companions", plumbline::companions());
  text +=
      "## Ensemble\n\n### `online_boost`\n\n" + options_table(list_params<OnlineBoost::Params>());
  text += family("Calibrators", calibrators());
  text += family("Policies", policies());
  text += family("Rewards", rewards());
  text += family("Metrics", metrics());
  text += family("Generators", generators());
  text.pop_back();
  return text;
}

TEST(Docs, ComponentsPageIsThatOfTheRegistries) {
  if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kPath) << components();
    GTEST_SKIP() << "wrote " << kPath;
  }
  std::ifstream file(kPath);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), components());
}

}  // namespace
}  // namespace plumbline::components_doc_test
