// The option of verbs that show their progress.
#pragma once

#include <string>

#include "cli/options/option.h"

namespace plumbline::cli {

// --progress: the mode of a Progress (cli/output/progress.h).
Option progress_option(std::string& mode);

}  // namespace plumbline::cli
