// A component and its options as JSON: {"name": "fixed", "every": 4}.
#pragma once

#include <string>

#include "plumbline/json/json.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

Json spec_to_json(const Spec& spec);
// Reads a component from a text or an object; an object without a name changes options of the base. Throws a
// configuration error that names the key.
Spec spec_from_json(const std::string& key, const Json& json, const Spec& base);

// Throws a configuration error: "the configuration is invalid: …".
[[noreturn]] void refuse_config(const std::string& message);

}  // namespace plumbline::inline v0
