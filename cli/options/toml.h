// Configurations as TOML files.
#pragma once

#include <string>

#include "plumbline/config.h"

namespace plumbline::cli {

// The base configuration with the settings of the file applied. Throws an io error if the file cannot be
// read, and a configuration error with the file's name, and the line if known, if it is invalid.
Config overlay_toml(const Config& base, const std::string& path);

// The configuration with every option of every component and its meaning.
std::string to_toml(const Config& config);

}  // namespace plumbline::cli
