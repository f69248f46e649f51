// How HTTP/1.1 is written, and which bodies have a sure end.
#pragma once

#include <string>

#include <boost/beast/http/message.hpp>

#include "serve/http.h"

namespace plumbline::serve {

// False for a body whose end a proxy in front might see elsewhere, which would hide a request.
bool has_one_length(const boost::beast::http::request_header<>& message);

// How the end of a body is known: by its length, by chunks, or by the end of the connection.
enum class Framing { length, chunks, connection };
std::string head_of(const HttpResponse& response, bool keep_alive, Framing framing);
std::string as_chunk(const std::string& text);
inline constexpr const char* kLastChunk = "0\r\n\r\n";

}  // namespace plumbline::serve
