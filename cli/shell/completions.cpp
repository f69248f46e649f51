// `plumbline completions SHELL`

#include "cli/shell/completions.h"

#include <memory>

#include "cli/output/output.h"
#include "cli/verbs/verbs.h"

namespace plumbline::cli {

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string quote(const std::string& text) { return "'" + replace_all(text, "'", R"('\'')") + "'"; }

void add_completions(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "completions", "Write a script that completes verbs, options and values in your shell");
  verb->group("Help");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "The shell that you use")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb->footer(
      "Examples:\n"
      "  source <(plumbline completions bash)\n"
      "  plumbline completions fish > ~/.config/fish/completions/plumbline.fish\n");
  verb->callback([&program, shell] {
    const Verb top = read_tree(program);
    print(*shell == "bash"  ? bash_script(top)
          : *shell == "zsh" ? zsh_script(top)
                            : fish_script(top));
  });
}

}  // namespace plumbline::cli
