// The server's own messages: one JSON object per line on standard error.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "plumbline/json/json.h"

namespace plumbline::serve {

enum class Level { info, warning, error };

// {"time": …, "level": …, "event": …, and the fields}. Never throws; any thread may call it.
void tell(Level level, std::string_view event,
          std::initializer_list<std::pair<const char*, Json>> fields = {}) noexcept;

}  // namespace plumbline::serve
