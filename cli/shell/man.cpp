// Uses plain man(7) macros, which both groff and mandoc support. Texts are escaped here, so that help texts need not
// consider roff.

#include "cli/shell/man.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/command_line.h"
#include "cli/output/output.h"
#include "cli/shell/help.h"
#include "plumbline/io/source.h"
#include "plumbline/version.h"

namespace plumbline::cli {
namespace {

// Escapes text for roff, so that it can be copied from the page unchanged.
std::string escape(std::string_view text) {
  constexpr std::string_view kSpecial = "\\-'`^~\"";
  constexpr const char* kEscaped[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti", "\\(dq"};
  std::string out;
  for (const char c : text) {
    const std::size_t at = kSpecial.find(c);
    out += at == std::string_view::npos ? std::string(1, c) : kEscaped[at];
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escape(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escape(text) + "\\fR"; }

// A line of the source; a dot at its start would be a request.
std::string source_line(const std::string& escaped) {
  return (escaped.starts_with('.') ? "\\&" : "") + escaped + "\n";
}

// Escaped text for roff to fill.
std::string fill(const std::string& escaped) {
  std::string out;
  for (const std::string& line : wrap(escaped, 76)) out += source_line(line);
  return out;
}

// Lines with their breaks and spaces preserved.
std::string verbatim(const Words& lines) {
  std::string out = ".PP\n.nf\n";
  for (const std::string& line : lines) out += source_line(escape(line));
  return out + ".fi\n";
}

std::string item(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + fill(escape(text));
}

// Adds a capital letter and a period, which help texts lack.
std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string meaning(const Option& option) {
  std::string text = sentence(option.help);
  const auto add = [&](const char* title, const Words& words) {
    if (!words.empty()) text += fmt::format(" {} {}.", title, fmt::join(words, ", "));
  };
  if (option.required) text += " Required.";
  add("One of:", option.choices);
  if (option.offers) add("Known:", option.offers(""));
  if (!option.value.range.empty()) text += " " + sentence(option.value.range);
  if (!option.fallback.empty()) text += " " + sentence("Default: " + option.fallback);
  add("Only with", option.needs);
  add("Not with", option.excludes);
  return text;
}

std::string option_items(const std::vector<Option>& options, bool with_help) {
  std::string out;
  for (const Option& option : options) {
    if (option.hidden || (option.name() == "--help" && !with_help)) continue;
    std::string tag = option.positional() ? italic(option.name()) : "";
    for (const std::string& name : option.positional() ? Words() : option.names) {
      tag += (tag.empty() ? "" : ", ") + bold(name);
    }
    if (!option.metavar.empty()) tag += " " + italic(option.metavar);
    out += item(tag, meaning(option));
  }
  return out;
}

// Adds the verb and its subverbs, except hidden ones.
void add_verbs(const VerbPath& path, std::string& sections, std::string& examples) {
  const Verb& verb = *path.back();
  if (path.size() > 1) {
    sections += ".SS " + escape(typed({path.begin() + 1, path.end()})) + "\n" +
                fill(escape(usage(path))) + ".PP\n" + fill(escape(sentence(verb.summary))) +
                option_items(verb.positionals, false) + option_items(verb.options, false);
    if (!notes_of(verb).empty()) sections += verbatim(split(notes_of(verb), '\n'));
  }
  if (!verb.examples.empty()) {
    // There must be no .PP right after the .SH.
    examples += (examples.empty() ? "" : ".PP\n") + fill(escape(verb.summary + ":")) +
                verbatim(verb.examples);
  }
  for (const Verb& below : verb.verbs) {
    VerbPath longer = path;
    longer.push_back(&below);
    if (!below.hidden()) add_verbs(longer, sections, examples);
  }
}

// Today's date, or that of SOURCE_DATE_EPOCH, for reproducible builds.
std::string date() {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t time = epoch != nullptr ? std::atoll(epoch) : std::time(nullptr);
  std::tm day{};
  gmtime_r(&time, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

constexpr const char* kDescription = R"(.SH DESCRIPTION
plumbline learns from a stream of labelled examples, one minibatch after the
other, and predicts the probability of the positive class for each new
example, or of each class. An online boosting ensemble and other models give
scores, and a calibrator turns them into probabilities. By default, both learn
from every minibatch; with other presets, a bandit policy decides which of the
two learns.
.PP
Results go to standard output, messages to standard error.
)";

constexpr const char* kFacts = R"(.SH EXIT STATUS
.TP
\fB0\fR
Success.
.TP
\fB2\fR
The command line or a configuration is invalid.
.TP
\fB3\fR
The data are invalid; the message names the line.
.TP
\fB4\fR
The file is not a model file, is damaged, or has another version.
.TP
\fB5\fR
A file could not be read or written, or memory ran out.
.TP
\fB70\fR
An internal error. Please report it.
.TP
\fB129\fR, \fB130\fR, \fB143\fR
Interrupted by SIGHUP, Ctrl-C or SIGTERM.
.SH ENVIRONMENT
.TP
\fBPLUMBLINE_DATA\fR
The folder of the paper's data sets.
.TP
\fBNO_COLOR\fR
If set, output has no bold text.
.SH FILES
.TP
\fI*.safetensors\fR
Models: safetensors containers with the configuration and a checksum. Other
tools can read the tensors.
.TP
\fI*.gz, *.bz2, *.xz, *.zst, *.zip\fR
Compressed data. The content determines the compression, not the file name.
)";

std::string man_page(const Verb& program) {
  std::string title = program.name, summary = program.summary, sections, examples;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  add_verbs({&program}, sections, examples);
  // Names must not be broken: no hyphenation, no adjustment.
  return fmt::format(
      ".\\\" Written by `{0} man`; do not edit.\n.TH {1} 1 {2} \"{0} {3}\"\n.nh\n.ad l\n"
      ".SH NAME\n{0} \\- {4}\n.SH SYNOPSIS\n\\fB{0}\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] "
      "[\\fIARGUMENTS\\fR]\n{5}.SH OPTIONS\n{6}.SH VERBS\n{7}{8}.SH EXAMPLES\n{9}",
      program.name, title, date(), kVersion,
      escape(summary.substr(0, summary.find_last_not_of('.') + 1)), kDescription,
      option_items(program.options, true), sections, kFacts, examples);
}

}  // namespace

Verb man_verb() {
  return {.name = "man",
          .summary = "Write the manual page, for man",
          .group = "Help",
          .examples = {"plumbline man | man -l -"},
          .run = [](const CommandLine& line) { print(man_page(line.program())); }};
}

}  // namespace plumbline::cli
