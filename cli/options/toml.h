// Configurations as TOML files.
#pragma once

#include <string>

#include "plumbline/config.h"

namespace plumbline::cli {

// The base with what the file says. Throws an io error if it cannot be read, and a configuration
// error with the file's name, and the line where there is one, for what is wrong in it.
Config overlay_toml(const Config& base, const std::string& path);

// Every option of every component with its meaning, set to this configuration.
std::string to_toml(const Config& config);

}  // namespace plumbline::cli
