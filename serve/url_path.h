// The path of a URL, with its percent-encoded bytes decoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline::serve {

// The value of %XX and so on; nothing if it is malformed or holds a NUL.
std::optional<std::string> decoded_path(std::string_view text);

}  // namespace plumbline::serve
