// The JSON output of verbs: indented, with a final line break, and valid UTF-8 even if a file's name is
// not.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace plumbline::cli {

using Json = nlohmann::ordered_json;

inline std::string to_text(const Json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::cli
