#include "plumbline/error.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace plumbline::inline v0 {
namespace {

struct KindRow {
  ErrorKind kind;
  std::string_view name;
  int exit_code;
};

constexpr std::array<KindRow, 4> kKinds{{{ErrorKind::config, "config", 2},
                                         {ErrorKind::data, "data", 3},
                                         {ErrorKind::model_file, "model_file", 4},
                                         {ErrorKind::io, "io", 5}}};

const KindRow& row(ErrorKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

constexpr std::array<std::string_view, 10> kSettings{
    "label", "positive", "multiclass", "categorical", "numeric",
    "time",  "missing",  "ignore",     "format",      "delimiter"};

std::string location(const Where& where) {
  std::string text = where.source;
  if (where.line != 0) text += fmt::format("{}line {}", text.empty() ? "" : ", ", where.line);
  if (where.column != 0) text += fmt::format("{}column {}", text.empty() ? "" : ", ", where.column);
  return text.empty() ? text : text + ": ";
}

// Escapes control characters, which could truncate a message or control a terminal.
std::string printable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

std::string in_cpp(const Remedy& remedy) {
  if (remedy.value.empty()) return fmt::format("setting '{}'", name_of(remedy.setting));
  return fmt::format("{} = '{}'", name_of(remedy.setting), remedy.value);
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message, Where where, Remedies remedies)
    : Error(kind, printable(location(where) + message), std::move(where), std::move(remedies), 0) {}

Error::Error(ErrorKind kind, std::string sentence, Where&& where, Remedies&& remedies, int)
    : std::runtime_error(sentence + printable(advice(remedies, in_cpp))),
      kind_(kind),
      where_(std::move(where)),
      sentence_(std::move(sentence)),
      remedies_(std::move(remedies)) {}

std::string_view name_of(ErrorKind kind) { return row(kind).name; }
std::string_view name_of(Setting setting) { return kSettings[static_cast<std::size_t>(setting)]; }
int exit_code(ErrorKind kind) { return row(kind).exit_code; }

std::string advice(const Remedies& remedies,
                   const std::function<std::string(const Remedy&)>& in_words) {
  std::string text;
  for (std::size_t i = 0; i < remedies.size(); ++i) {
    text += i == 0 ? "; try " : i + 1 == remedies.size() ? " or " : ", ";
    text += in_words(remedies[i]);
    if (!remedies[i].when.empty()) text += " " + remedies[i].when;
  }
  return text;
}

}  // namespace plumbline::inline v0
