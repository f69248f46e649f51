// The lines of --version: the program, its compiler and its libraries.
#pragma once

#include <string>

namespace plumbline::cli {

std::string version_text();

}  // namespace plumbline::cli
