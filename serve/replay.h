// `plumbline serve --replay`: learns the log of a model again, from its beginning, with its own configuration or
// another one. A server may use the log meanwhile.
#pragma once

#include "cli/options/serve_options.h"

namespace plumbline::serve {

// Prints the metrics as JSON, and saves the model if a file is given.
void replay(const cli::ServeOptions& options);

}  // namespace plumbline::serve
