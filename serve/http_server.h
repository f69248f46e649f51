// An HTTP/1.1 server, with or without TLS: the only part, with its connections, that knows Boost.Beast.
//
// A handler gets requests and answers each once, at any time and from any thread. Bodies, headers, times and
// connections are limited. Before a body is read, the handler may refuse its head.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "serve/http.h"
#include "serve/tls.h"

namespace plumbline::serve {

class HttpServer {
 public:
  struct Options {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any
    std::size_t threads = 2;
    std::size_t max_body = std::size_t{16} << 20;
    std::size_t max_connections = 16'384;
    std::chrono::milliseconds idle{75'000};     // between requests
    std::chrono::milliseconds request{30'000};  // to send one, or the next part of its body
    std::optional<TlsFiles> tls{};
  };

  // Listens; throws an Error with the reason if that fails. The handler must outlive the server.
  HttpServer(const Options& options, HttpHandler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  std::size_t connections() const;
  // Reads the certificate again, for connections to come. Throws an Error, and keeps the old one.
  void reload_tls();
  // Accepts no further connections, lets requests under way end, for at most so long, and closes all.
  void stop(std::chrono::milliseconds patience);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plumbline::serve
