#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "cli/verbs.h"
#include "plumbline/core/error.h"
#include "plumbline/core/version.h"

namespace {

constexpr int kUsageError = 2;
constexpr int kInternalError = 70;  // EX_SOFTWARE: our own fault, not the user's

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Streaming probabilities that mean what they say.", "plumbline");
  program.set_version_flag("--version", fmt::format("plumbline {}", plumbline::kVersion));
  program.require_subcommand(1);
  plumbline::cli::add_demo(program);
  plumbline::cli::add_generate(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : kUsageError;
  } catch (const plumbline::Error& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::exit_code(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: internal error: {}\n", error.what());
    return kInternalError;
  }
  return 0;
}
