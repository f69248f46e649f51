// `plumbline man`: the manual page plumbline(1), from the same texts as the help.
//
// Plain man(7) macros, so that groff and mandoc both set it. Texts are escaped here; nobody who
// writes a help text has to think of roff.

#include <cctype>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output/output.h"
#include "cli/shell/tree.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/version.h"

namespace plumbline::cli {
namespace {

// The character that begins at `at`, which is moved behind it; damaged UTF-8 gives a question mark.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t character = first & (0x3fU >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    character = character << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  }
  return more == 0 ? U'?' : character;
}

// Text in which nothing is special to roff, and everything can be copied from the page.
std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t character = next_character(text, at);
    switch (character) {
      case U'\\':
        out += "\\e";
        break;
      case U'-':
        out += "\\-";
        break;
      case U'\'':
        out += "\\(aq";
        break;
      case U'`':
        out += "\\(ga";
        break;
      case U'^':
        out += "\\(ha";
        break;
      case U'~':
        out += "\\(ti";
        break;
      case U'"':
        out += "\\(dq";
        break;
      default:
        if (character < 0x80) {
          out += static_cast<char>(character);
        } else {
          out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(character));
        }
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escape(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escape(text) + "\\fR"; }

// Lines of escaped text for roff to fill; a dot at the start of a line would be a request.
std::string fill(const std::string& escaped) {
  constexpr std::size_t kWidth = 76;
  std::string out, line;
  const auto end_line = [&] {
    if (line.empty()) return;
    out += (line[0] == '.' ? "\\&" : "") + line + "\n";
    line.clear();
  };
  for (const std::string& word : CLI::detail::split(escaped, ' ')) {
    if (word.empty()) continue;
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return out;
}

std::string paragraph(std::string_view text) { return ".PP\n" + fill(escape(text)); }
std::string item(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + fill(escape(text));
}

// Lines that keep their breaks and spaces.
std::string verbatim(const std::vector<std::string>& lines) {
  std::string out = ".PP\n.nf\n";
  for (const std::string& line : lines) {
    out += (line.starts_with('.') ? "\\&" : "") + escape(line) + "\n";
  }
  return out + ".fi\n";
}

// A sentence ends with a point, also where the help does without.
std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

// What CLI11 checks, in words: "INT in [1 - 10]", POSITIVE.
std::string range(const std::string& allowed) {
  if (allowed == "POSITIVE") return "Above 0";
  if (allowed == "NONNEGATIVE") return "At least 0";
  const std::size_t open = allowed.find(" in ["), dash = allowed.find(" - ", open);
  if (open == std::string::npos || dash == std::string::npos || allowed.back() != ']') {
    return allowed;
  }
  const std::string low = allowed.substr(open + 5, dash - open - 5);
  return fmt::format("From {} to {}", low, allowed.substr(dash + 3, allowed.size() - dash - 4));
}

std::string explain(const Argument& argument) {
  std::vector<std::string> parts{sentence(argument.description)};
  const auto list = [&](const char* title, const std::vector<std::string>& names) {
    if (!names.empty()) parts.push_back(fmt::format("{} {}.", title, fmt::join(names, ", ")));
  };
  if (argument.required) parts.emplace_back("Required.");
  if (!argument.values.empty()) {
    list(argument.allowed.empty() ? "Known:" : "One of:", argument.values);
  } else if (!argument.allowed.empty()) {
    parts.push_back(sentence(range(argument.allowed)));
  }
  if (!argument.fallback.empty()) parts.push_back(sentence("Default: " + argument.fallback));
  list("Only with", argument.needs);
  list("Not with", argument.excludes);
  if (!argument.variable.empty()) parts.push_back("Or " + argument.variable + " is set to it.");
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string argument_items(const Verb& verb, const Verb& top) {
  std::string out;
  for (const Argument& positional : verb.positionals) {
    out += item(italic(positional.position), explain(positional));
  }
  for (const Argument& option : verb.options) {
    if (&verb != &top && option.names.back() == "--help") continue;  // every verb has it
    std::string tag;
    for (const std::string& name : option.names) tag += (tag.empty() ? "" : ", ") + bold(name);
    if (option.takes_value()) tag += " " + italic(option.type);
    out += item(tag, explain(option));
  }
  return out;
}

std::string usage(const Verb& verb) {
  std::string line = bold(verb.path) + " [" + italic("OPTIONS") + "]";
  for (const Argument& positional : verb.positionals) {
    const std::string name = italic(positional.position) + (positional.repeated ? " ..." : "");
    line += positional.required ? " " + name : " [" + name + "]";
  }
  if (!verb.verbs.empty()) line += " " + italic("VERB");
  return line;
}

// The end of a verb's help: its examples, which stand under a line "Examples:", and all else.
struct Footer {
  std::vector<std::string> notes, examples;
};

Footer split_footer(const std::string& text) {
  Footer footer;
  bool in_examples = false;
  for (const std::string& line : CLI::detail::split(text, '\n')) {
    if (line == "Examples:" || line == "Example:") {
      in_examples = true;
    } else if (in_examples && line.starts_with("  ")) {
      footer.examples.push_back(line.substr(2));
    } else {
      in_examples = false;
      footer.notes.push_back(line);
    }
  }
  while (!footer.notes.empty() && footer.notes.back().empty()) footer.notes.pop_back();
  return footer;
}

std::string verb_section(const Verb& verb, const Verb& top) {
  std::string out = ".SS " + escape(verb.path.substr(top.name.size() + 1)) + "\n";
  out += fill(usage(verb)) + paragraph(sentence(verb.description));
  if (!verb.aliases.empty()) {
    out += paragraph(sentence(fmt::format("Also: {}", fmt::join(verb.aliases, ", "))));
  }
  out += argument_items(verb, top);
  const Footer footer = split_footer(verb.footer);
  if (!footer.notes.empty()) out += verbatim(footer.notes);
  return out;
}

std::string examples_section(const std::vector<const Verb*>& verbs) {
  std::string out;
  for (const Verb* verb : verbs) {
    const Footer footer = split_footer(verb->footer);
    if (footer.examples.empty()) continue;
    // There must be no .PP right after the .SH.
    out += out.empty() ? fill(escape(verb->description + ":")) : paragraph(verb->description + ":");
    out += ".RS\n" + verbatim(footer.examples) + ".RE\n";
  }
  return out.empty() ? out : ".SH EXAMPLES\n" + out;
}

// The day it is written; SOURCE_DATE_EPOCH makes builds that can be repeated.
std::string date() {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = epoch != nullptr ? std::strtoll(epoch, nullptr, 10) : std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::string description_section() {
  return ".SH DESCRIPTION\n" +
         fill(escape("plumbline learns from a stream of labelled examples, one minibatch after the "
                     "other, and says how likely the positive class is for each new example. An "
                     "online boosting ensemble classifies, a calibrator turns its scores into "
                     "probabilities, and a bandit policy decides on every minibatch which of the "
                     "two learns from it.")) +
         paragraph("Results go to standard output, messages to standard error.");
}

std::string exit_status_section() {
  return ".SH EXIT STATUS\n" + item(bold("0"), "All went well.") +
         item(bold("2"), "The command line or a configuration is wrong.") +
         item(bold("3"), "The data are wrong; the message names the line.") +
         item(bold("4"), "The model file is damaged, or no model file.") +
         item(bold("5"), "Something could not be read or written.") +
         item(bold("70"), "An internal error: a mistake of ours. Please report it.") +
         item(bold("130"), "Interrupted.");
}

std::string environment_section(const std::vector<const Verb*>& verbs) {
  std::string out = ".SH ENVIRONMENT\n" +
                    item(bold("PLUMBLINE_DATA"), "The folder of the data sets.") +
                    item(bold("NO_COLOR"), "If set, nothing is written in colour.");
  for (const Verb* verb : verbs) {
    for (const Argument& option : verb->options) {
      if (option.variable.empty() || option.variable == "PLUMBLINE_DATA") continue;
      out += item(bold(option.variable), "See " + option.names.back() + " of " + verb->path + ".");
    }
  }
  return out;
}

std::string files_section() {
  return ".SH FILES\n" +
         item(italic("*.safetensors"),
              "Models: a safetensors container with the configuration and a "
              "checksum. Other tools may read the numbers in it.") +
         item(italic("*.gz, *.zst"),
              "Data may be packed by gzip or zstd, whatever the name of the file.");
}

// "plumbline \- streaming probabilities …", as whatis and apropos read it.
std::string name_section(const Verb& top) {
  std::string summary = top.description.substr(0, top.description.find_last_not_of('.') + 1);
  if (!summary.empty()) summary[0] = static_cast<char>(std::tolower(summary[0]));
  return ".SH NAME\n" + escape(top.name) + " \\- " + escape(summary) + "\n";
}

std::string man_page(const Verb& top) {
  const std::vector<const Verb*> all = flatten(top);
  std::string title = top.name;
  for (char& c : title) c = static_cast<char>(std::toupper(c));
  std::string out =
      fmt::format(".\\\" Written by `{0} man`; do not edit.\n.TH {1} 1 {2} \"{0} {3}\"\n", top.name,
                  title, date(), kVersion);
  out += ".nh\n.ad l\n";  // names must not be broken
  out += name_section(top);
  out += fmt::format(".SH SYNOPSIS\n{} {} [{}] [{}]\n", bold(top.name), italic("VERB"),
                     italic("OPTIONS"), italic("ARGUMENTS"));
  out += description_section();
  out += ".SH OPTIONS\n" + argument_items(top, top) + ".SH VERBS\n";
  for (std::size_t i = 1; i < all.size(); ++i) out += verb_section(*all[i], top);
  out += exit_status_section() + environment_section(all) + files_section();
  return out + examples_section(all);
}

}  // namespace

void add_man(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("man", "Write the manual page, for man");
  verb->group("Help");
  verb->footer("Examples:\n  plumbline man | man -l -\n");
  verb->callback([&program] { print(man_page(read_tree(program))); });
}

}  // namespace plumbline::cli
