// The option of verbs that use several threads.
#pragma once

#include <cstddef>
#include <string>

#include "cli/options/option.h"

namespace plumbline::cli {

// --threads; 0 is all cores.
Option threads_option(std::size_t& threads, const std::string& help = "Threads; 0 uses all cores");

}  // namespace plumbline::cli
