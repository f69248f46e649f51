#include "serve/http_wire.h"

#include <fmt/format.h>

namespace plumbline::serve {

namespace http = boost::beast::http;

bool has_one_length(const http::request_header<>& message) {
  const std::size_t lengths = message.count(http::field::content_length);
  const std::size_t encodings = message.count(http::field::transfer_encoding);
  if (lengths + encodings == 0) return true;
  if (lengths + encodings > 1) return false;
  if (encodings == 1) {
    if (message.version() < 11) return false;  // a proxy may not know chunks
    return boost::beast::iequals(message[http::field::transfer_encoding], "chunked");
  }
  const auto digits = message[http::field::content_length];
  return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
}

std::string head_of(const HttpResponse& response, bool keep_alive, Framing framing) {
  const auto status = static_cast<unsigned>(response.status);
  const std::string phrase = http::obsolete_reason(http::int_to_status(status));
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", status, phrase, response.type);
  if (framing == Framing::length) {
    head += fmt::format("Content-Length: {}\r\n", response.body.size());
  } else if (framing == Framing::chunks) {
    head += "Transfer-Encoding: chunked\r\n";
  }
  if (!keep_alive) head += "Connection: close\r\n";
  head += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : response.headers) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
  return head + "\r\n";
}

std::string as_chunk(const std::string& text) {
  return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

}  // namespace plumbline::serve
