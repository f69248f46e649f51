// Requests, answers, and the handler that gives the one for the other: what the API knows of HTTP.
#pragma once

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

// What has come of a body that is read in parts.
struct HttpPart {
  std::string bytes{};
  bool last = false;
  int status = 0;  // not 0 if the rest cannot be read: too slow, malformed, or the server stops
  std::string detail{};  // then the sentence
};

// A body that is read in parts, each when it is asked for, so that it may be of any length.
class HttpParts {
 public:
  virtual ~HttpParts() = default;
  // Calls `report` once: with what the client has sent, up to 256 KiB. One call at a time, none after the last part.
  virtual void next(std::function<void(HttpPart)> report) = 0;
};

struct HttpRequest {
  HttpHead head;
  std::string body{};
  std::shared_ptr<HttpParts> parts{};  // instead of a body, if the handler wants it so
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

// A response in parts. Any thread may send.
class HttpStream {
 public:
  // Events go on until one side leaves; a client that does not read them is left. A body has an end.
  enum class Kind { events, body };
  virtual ~HttpStream() = default;
  // False if the client is gone.
  virtual bool send(std::string text) = 0;
  virtual void end() = 0;
  // Calls `go_on` once: when not much waits to be sent, or with false when the client is gone.
  virtual void when_room(std::function<void(bool)> go_on) = 0;
};

// Answers one request. Copies answer the same one; the first answer counts.
class HttpReply {
 public:
  class Target {
   public:
    virtual ~Target() = default;
    virtual void send(HttpResponse response) = 0;
    virtual std::shared_ptr<HttpStream> stream(HttpResponse head, HttpStream::Kind kind) = 0;
  };
  explicit HttpReply(std::shared_ptr<Target> target) : target_(std::move(target)) {}
  void send(HttpResponse response) const { target_->send(std::move(response)); }
  // Null if it has been answered.
  std::shared_ptr<HttpStream> stream(HttpResponse head, HttpStream::Kind kind) const {
    return target_->stream(std::move(head), kind);
  }

 private:
  std::shared_ptr<Target> target_;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // A refusal that needs no body: no such path, no permission.
  virtual std::optional<HttpResponse> refuse(const HttpHead& head) = 0;
  // True if the body is to be read in parts; the limit of its size does not hold then.
  virtual bool wants_parts(const HttpHead& head) = 0;
  virtual void handle(HttpRequest request, HttpReply reply) = 0;
  // The answer to what is not HTTP, too large or too slow.
  virtual HttpResponse problem(int status, const std::string& detail) = 0;
  virtual void answered(const HttpHead& head, int status, double seconds) = 0;
};

}  // namespace plumbline::serve
