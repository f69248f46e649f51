// What the values of options are checked for before any work begins.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "plumbline/base/options.h"

namespace plumbline::cli {

// A whole number from `low` to 2^64 - 1.
CLI::Validator whole_number(std::uint64_t low);
// A number in a range; not NaN.
CLI::Validator number_in(const Range& range);
// A path that is not empty, as an unset variable of the shell is.
CLI::Validator path();

// Throws a configuration error if an output is one of the inputs or another output. Each has the name
// of its option, and a path that may be empty, `-`, or not there yet.
using NamedPath = std::pair<std::string, std::string>;
void check_different(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs);

}  // namespace plumbline::cli
