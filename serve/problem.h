// Errors of the API: {"title", "status", "detail"}, as RFC 9457 has them.
#pragma once

#include <string>
#include <string_view>

#include "serve/http.h"

namespace plumbline::serve {

struct Problem {
  int status = 0;  // 0 if there is none
  std::string detail{};
  explicit operator bool() const { return status != 0; }
};

void append_json(const Problem& problem, std::string& json);
// With Retry-After for what may succeed later, and WWW-Authenticate for what needs a token.
HttpResponse response_of(const Problem& problem);

}  // namespace plumbline::serve
