#include "serve/problem.h"

#include <iterator>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"
#include "serve/json_row.h"

namespace plumbline::serve {
namespace {

const char* title_of(int status) {
  switch (status) {
    case 400:
      return "Malformed request";
    case 401:
      return "No valid token";
    case 403:
      return "Missing scope";
    case 404:
      return "Not found";
    case 405:
      return "Method not allowed";
    case 408:
      return "Too slow";
    case 409:
      return "Conflict";
    case 413:
      return "Too large";
    case 415:
      return "Wrong content type";
    case 421:
      return "Wrong host";
    case 422:
      return "Unusable row or label";
    case 429:
      return "Too many";
    case 431:
      return "Header too large";
    case 503:
      return "Not available";
    default:
      return "Internal error";
  }
}

// A path or a header may have been quoted, and these may hold any bytes.
std::string as_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    valid += next.valid ? text.substr(0, next.bytes) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(next.bytes);
  }
  return valid;
}

}  // namespace

void append_json(const Problem& problem, std::string& json) {
  fmt::format_to(std::back_inserter(json), R"({{"title":"{}","status":{},"detail":)",
                 title_of(problem.status), problem.status);
  append_json(is_utf8(problem.detail) ? problem.detail : as_utf8(problem.detail), json);
  json += '}';
}

HttpResponse response_of(const Problem& problem) {
  HttpResponse response{.status = problem.status, .type = "application/problem+json"};
  append_json(problem, response.body);
  response.body += '\n';
  if (problem.status == 429 || problem.status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  if (problem.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace plumbline::serve
