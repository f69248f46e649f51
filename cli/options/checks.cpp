#include "cli/options/checks.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "plumbline/base/error.h"
#include "plumbline/io/number.h"

namespace plumbline::cli {
namespace {

// The path of a standard stream, as the system names it.
std::string standard_path(const std::string& path, bool output) {
  return path == "-" ? (output ? "/dev/stdout" : "/dev/stdin") : path;
}

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code missing;
  if (std::filesystem::equivalent(a, b, missing)) {
    return std::filesystem::is_regular_file(a, missing);  // not /dev/null
  }
  const auto plain = [](const std::string& path) {
    return std::filesystem::path(path).lexically_normal();
  };
  return missing && plain(a) == plain(b);  // neither is there yet
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low) {
  return CLI::Validator(
      [low](std::string& text) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool fine = error == std::errc() && end == text.data() + text.size() && number >= low;
        return fine ? std::string()
                    : fmt::format("'{}' is not a whole number from {} to 2^64 - 1", text, low);
      },
      "");
}

CLI::Validator number_in(const Range& range) {
  return CLI::Validator(
      [range](std::string& text) {
        const std::optional<double> number = parse_number(text);
        return number && range.holds(*number)
                   ? std::string()
                   : fmt::format("'{}' is not a number in {}", text, range.text());
      },
      "");
}

CLI::Validator path() {
  return CLI::Validator(
      [](std::string& text) { return std::string(text.empty() ? "the path is empty" : ""); }, "");
}

void check_different(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs) {
  const auto refuse = [](const NamedPath& a, const NamedPath& b) {
    throw Error(ErrorKind::config,
                fmt::format("{} and {} are the same file, '{}'; give {} another one", a.first,
                            b.first, b.second, b.first));
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string path = standard_path(outputs[i].second, true);
    for (const NamedPath& input : inputs) {
      if (same_file(standard_path(input.second, false), path)) refuse(input, outputs[i]);
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (same_file(standard_path(outputs[k].second, true), path)) refuse(outputs[k], outputs[i]);
    }
  }
}

}  // namespace plumbline::cli
