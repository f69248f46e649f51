// Checks that involve several options.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plumbline::cli {

// Throws a configuration error if an output is one of the inputs or another output. Each has the name
// of its option, and a path that may be empty, `-`, or of a file that does not exist yet.
using NamedPath = std::pair<std::string, std::string>;
void check_different(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs);

}  // namespace plumbline::cli
