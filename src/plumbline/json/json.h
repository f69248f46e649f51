// JSON values whose objects keep their keys in order of insertion; finding a key takes time linear in their number.
// Parsing and printing are functions here, because nlohmann's templates take seconds to compile in each file that calls
// them.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace plumbline::inline v0 {

using Json = nlohmann::ordered_json;

// The value of a text. If the text is malformed, the result is discarded (`is_discarded`), and its `at` throws
// Json::exception. The filter, if any, is called for each part and may leave it out (nlohmann::json::parser_callback_t).
Json parse_json(std::string_view text, const Json::parser_callback_t& filter = nullptr);

// On one line if `indent` is negative. Text that is not UTF-8 throws Json::exception, unless `errors` says otherwise.
std::string print_json(const Json& json, int indent = -1,
                       Json::error_handler_t errors = Json::error_handler_t::strict);

}  // namespace plumbline::inline v0
