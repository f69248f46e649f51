// The option of verbs that write predictions: the layout of their lines.
#pragma once

#include <string>

#include "cli/options/option.h"

namespace plumbline::cli {

// --layout, wide or long.
Option layout_option(std::string& layout);

}  // namespace plumbline::cli
