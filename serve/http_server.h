// An HTTP/1.1 server: the only part that knows Boost.Beast.
//
// A handler gets whole requests and answers each once, at any time and from any thread. Bodies, headers, times and
// connections are limited. Before a body is read, the handler may refuse its head.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::serve {

struct HttpHead {
  std::string method;
  std::string path;   // decoded, without the query
  std::string query;  // as it stands
  std::string host, authorization, content_type, origin, trace;
};

struct HttpRequest {
  HttpHead head;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

// A response without end: server-sent events. Any thread may send.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  // False if the client is gone, or has not read for so long that the stream was closed.
  virtual bool send(std::string text) = 0;
};

// Answers one request. Copies answer the same one; the first answer counts.
class HttpReply {
 public:
  class Target {
   public:
    virtual ~Target() = default;
    virtual void send(HttpResponse response) = 0;
    virtual std::shared_ptr<HttpStream> stream(HttpResponse head) = 0;
  };
  explicit HttpReply(std::shared_ptr<Target> target) : target_(std::move(target)) {}
  void send(HttpResponse response) const { target_->send(std::move(response)); }
  std::shared_ptr<HttpStream> stream(HttpResponse head) const {
    return target_->stream(std::move(head));
  }

 private:
  std::shared_ptr<Target> target_;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // A refusal that needs no body: no such path, no permission.
  virtual std::optional<HttpResponse> refuse(const HttpHead& head) = 0;
  virtual void handle(HttpRequest request, HttpReply reply) = 0;
  // The answer to what is not HTTP, too large or too slow.
  virtual HttpResponse problem(int status, const std::string& detail) = 0;
  virtual void answered(const HttpHead& head, int status, double seconds) = 0;
};

class HttpServer {
 public:
  struct Options {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any
    std::size_t threads = 2;
    std::size_t max_body = std::size_t{16} << 20;
    std::size_t max_connections = 16'384;
    std::chrono::milliseconds idle{75'000};     // between requests
    std::chrono::milliseconds request{30'000};  // to send one
  };

  // Listens; throws an Error with the reason if that fails. The handler must outlive the server.
  HttpServer(const Options& options, HttpHandler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  std::size_t connections() const;
  // Accepts no further connections, lets requests under way end, for at most so long, and closes all.
  void stop(std::chrono::milliseconds patience);

 private:
  friend class Connection;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plumbline::serve
