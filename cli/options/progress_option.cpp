#include "cli/options/progress_option.h"

#include "cli/options/value.h"

namespace plumbline::cli {

Option progress_option(std::string& mode) {
  return {.names = {"--progress"},
          .metavar = "MODE",
          .help = "Progress on standard error: auto, table, bar or none",
          .fallback = mode,
          .choices = {"auto", "table", "bar", "none"},
          .value = text(mode)};
}

}  // namespace plumbline::cli
