#include "plumbline/json/json.h"

namespace plumbline::inline v0 {

Json parse_json(std::string_view text, const Json::parser_callback_t& filter) {
  return Json::parse(text, filter, /*allow_exceptions=*/false);
}

std::string print_json(const Json& json, int indent, Json::error_handler_t errors) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, errors);
}

}  // namespace plumbline::inline v0
