// The JSON output of verbs: indented, with a final line break, and valid UTF-8 even if a file's name is
// not.
#pragma once

#include <string>

#include "plumbline/json/json.h"

namespace plumbline::cli {

inline std::string to_text(const Json& json) {
  return print_json(json, 2, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::cli
