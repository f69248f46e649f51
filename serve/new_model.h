// What a new model is: by the options of the command line, or by the body of a request.
#pragma once

#include <string>

#include "cli/options/serve_options.h"
#include "serve/data_folder.h"

namespace plumbline::serve {

// Each throws an Error with the mistake.
NewModel new_model(const cli::ServeOptions& options);
// {"preset"?, "config"?, "classes"?, "costs"?, "columns"?}; openapi.json has what each may be.
NewModel new_model_of_json(const std::string& json);
// From a model file.
NewModel new_model_of_file(const std::string& bytes);

}  // namespace plumbline::serve
