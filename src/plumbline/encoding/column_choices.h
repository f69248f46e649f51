// References to columns: by name, or by number from 1 (from -1 backwards).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plumbline/columns.h"

namespace plumbline::inline v0 {

// The index of each column that is referred to. Throws a configuration error if there is none.
std::vector<std::size_t> find_columns(const std::vector<std::string>& references,
                                      const std::vector<std::string>& names);
std::size_t find_column(const std::string& reference, const std::vector<std::string>& names);

}  // namespace plumbline::inline v0
