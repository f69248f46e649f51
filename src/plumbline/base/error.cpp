#include "plumbline/base/error.h"

#include <array>

#include <fmt/format.h>

namespace plumbline {
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

std::string place(const Where& where) {
  std::string text = where.source;
  if (where.line != 0) text += fmt::format("{}line {}", text.empty() ? "" : ", ", where.line);
  if (where.column != 0) text += fmt::format("{}column {}", text.empty() ? "" : ", ", where.column);
  return text.empty() ? text : text + ": ";
}

// Data may hold anything; a message must not cut itself short or steer a terminal.
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

}  // namespace

Error::Error(ErrorKind kind, const std::string& message, Where where)
    : std::runtime_error(printable(place(where) + message)),
      kind_(kind),
      where_(std::move(where)) {}

std::string_view name(ErrorKind kind) { return row(kind).name; }
int exit_code(ErrorKind kind) { return row(kind).exit_code; }

}  // namespace plumbline
