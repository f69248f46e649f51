#include "cli/options/checks.h"

#include <filesystem>

#include <fmt/format.h>

#include "plumbline/error.h"

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
  return missing && plain(a) == plain(b);  // neither exists yet
}

}  // namespace

void check_different(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs) {
  const auto refuse = [](const NamedPath& a, const NamedPath& b) {
    throw Error(ErrorKind::config,
                fmt::format("{} and {} are the same file, '{}'; use another one for {}", a.first,
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
