#include "cli/options/layout_option.h"

#include "cli/options/value.h"

namespace plumbline::cli {

Option layout_option(std::string& layout) {
  return {.names = {"--layout"},
          .metavar = "LAYOUT",
          .help =
              "Lines of the predictions: wide has one for each row, long one for each row and "
              "class",
          .fallback = layout,
          .choices = {"wide", "long"},
          .value = text(layout)};
}

}  // namespace plumbline::cli
