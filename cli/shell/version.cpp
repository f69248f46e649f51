#include "cli/shell/version.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <nlohmann/json_fwd.hpp>

#include "plumbline/version.h"

namespace plumbline::cli {
namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

std::string version_text() {
  return fmt::format(
      "plumbline {}\n"
      "built by {}, build type {}\n"
      "fmt {}.{}.{}\n"
      "nlohmann-json {}.{}.{}\n"
      "zlib {}\n"
      "zstd {}\n",
      kVersion, compiler(), PLUMBLINE_BUILD_TYPE, FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
      FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
      NLOHMANN_JSON_VERSION_PATCH, zlibVersion(), ZSTD_versionString());
}

}  // namespace plumbline::cli
