#include "cli/shell/help.h"

#include <fmt/format.h>

namespace plumbline::cli {
namespace {

constexpr std::size_t kIndent = 28;  // of the meanings
constexpr std::size_t kWidth = 100;

// Line breaks between words, so that no line is longer than `width`.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > width) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(kIndent);
  label("SUBCOMMAND", "VERB");
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const bool takes_value = option->get_items_expected_max() > 0 && !option->get_positional();
  const std::string several = option->get_expected_max() > 1 ? " ..." : "";
  // The type's name is followed by those of its checks, which the meaning tells better.
  const std::string type = option->get_type_name().substr(0, option->get_type_name().find(':'));
  return takes_value ? fmt::format(" {}{}", type, several) : several;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  const std::string fallback = option->get_default_str();
  if (!fallback.empty()) text += fmt::format(" [{}]", fallback);
  if (option->get_required() && !option->get_positional()) text += " (required)";
  // The library indents further lines itself.
  return wrapped(text, kWidth - kIndent);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  const std::string name = make_option_name(option, /*is_positional=*/true);
  const std::string several = option->get_expected_max() > 1 ? "..." : "";
  return option->get_required() ? name + several : fmt::format("[{}{}]", name, several);
}

}  // namespace plumbline::cli
