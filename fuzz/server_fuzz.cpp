// Any bytes as what a client sends to the server, over a real connection: as they are, or, after a first byte that says
// which, as the body of a request. Each answer must be HTTP of its exact length with a status of the documentation and,
// if it is JSON, JSON; each probability must be one; and the server must close when the client has ended.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plumbline/json/json.h"
#include "serve/api.h"
#include "serve/data_folder.h"
#include "serve/hosting.h"
#include "serve/http_server.h"

namespace {

using namespace plumbline;
using namespace plumbline::serve;
namespace fs = std::filesystem;

[[noreturn]] void fail(const char* reason, std::string_view answer) {
  std::fprintf(stderr, "%s:\n%.*s\n", reason, static_cast<int>(answer.size()), answer.data());
  std::abort();
}

// A server with a model of columns that come and go, and an empty one. It is made anew now and then, so that what an
// input finds does not depend on all that came before.
class Target {
 public:
  Target() {
    Definition definition;
    definition.config.model.ensemble.size = 2;
    definition.config.model.learner = Spec("logistic");
    definition.config.batch = 1;
    data_.make("default", {.definition = definition});
    definition.classes = {"red", "green", "blue"};
    definition.costs.reset();
    data_.make("three", {.definition = definition});
    models_ = std::make_unique<Hosting>(data_, Hosting::Options{.model = {}, .max_models = 5});
    api_ = std::make_unique<Api>(*models_, Tokens{}, ItemLimits{.max_items = 50});
    server_ = std::make_unique<HttpServer>(
        HttpServer::Options{.port = 0, .threads = 1, .max_body = 4096}, *api_);
    const HostedPointer first = models_->find("default"), second = models_->find("three");
    while (!first->model.ready() || !second->model.ready()) ::usleep(100);
    exchange(request("/v1/models/default/learn", "application/json",
                     R"({"row":{"x":1,"k":"v"},"label":1})"));
    exchange(
        request("/v1/models/three/learn", "application/json", R"({"row":{"x":1},"label":"red"})"));
    while (first->model.backlog() + second->model.backlog() > 0) ::usleep(100);
  }
  ~Target() {
    server_->stop(std::chrono::seconds(1));
    api_->stop();
    models_->stop();
    fs::remove_all(folder_);
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  static std::string request(std::string_view path, std::string_view type, std::string_view body,
                             std::string_view method = "POST") {
    std::string text(method);
    text += " ";
    text.append(path).append(" HTTP/1.1\r\nHost: localhost\r\nContent-Type: ").append(type);
    return text.append("\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n")
        .append(body);
  }

  // Sends the bytes, ends, and returns all that comes until the server closes.
  std::string exchange(std::string_view bytes) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const linger at_once{.l_onoff = 1, .l_linger = 0};  // no waiting ports, of which there are few
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      fail("cannot connect", {});
    }
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;  // refused, and closed
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    ::shutdown(socket, SHUT_WR);
    std::string answer;
    std::array<char, 65536> part;
    ssize_t size = 0;
    while ((size = ::recv(socket, part.data(), part.size(), 0)) > 0) {
      answer.append(part.data(), static_cast<std::size_t>(size));
    }
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) fail("does not close", answer);
    ::close(socket);
    return answer;
  }

 private:
  const fs::path folder_ = fs::temp_directory_path() / ("server_fuzz" + std::to_string(::getpid()));
  const DataFolder data_{folder_};
  std::unique_ptr<Hosting> models_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<HttpServer> server_;
};

void check_probabilities(const Json& json, std::string_view answer) {
  if (json.is_array() || json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (key == "probability" && value.is_number() &&
          !(value.get<double>() >= 0 && value.get<double>() <= 1)) {
        fail("not a probability", answer);
      }
      check_probabilities(value, answer);
    }
  }
}

void check_body(std::string_view type, std::string_view body, std::string_view answer) {
  const auto check = [&](std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) fail("not JSON", answer);
    check_probabilities(json, answer);
  };
  if (type == "application/json" || type == "application/problem+json") return check(body);
  if (type != "application/x-ndjson") return;
  while (!body.empty()) {
    const std::size_t end = body.find('\n');
    if (end == body.npos) fail("a line without end", answer);
    check(body.substr(0, end));
    body.remove_prefix(end + 1);
  }
}

std::string_view field(std::string_view head, std::string_view name) {
  const std::size_t begin = head.find(name);
  if (begin == head.npos) return {};
  const std::size_t value = begin + name.size();
  return head.substr(value, head.find("\r\n", value) - value);
}

// Takes the body, which has this head, from the text; false if its end is missing.
bool take_body(std::string_view head, std::string_view& text, std::string& body) {
  const std::string_view length = field(head, "\r\nContent-Length: ");
  if (!length.empty()) {
    const std::size_t size = std::stoul(std::string(length));
    if (size > text.size()) return false;
    body = text.substr(0, size);
    text.remove_prefix(size);
    return true;
  }
  if (field(head, "\r\nTransfer-Encoding: ") != "chunked") {  // ends with the connection
    text = {};
    return true;
  }
  while (true) {
    const std::size_t end = text.find("\r\n");
    if (end == text.npos) return false;
    const std::size_t size = std::stoul(std::string(text.substr(0, end)), nullptr, 16);
    if (end + 2 + size + 2 > text.size()) return false;
    body += text.substr(end + 2, size);
    text.remove_prefix(end + 2 + size + 2);
    if (size == 0) return true;
  }
}

// `whole`: the request was whole, and has one answer with a body.
void check_answers(std::string_view answer, bool whole) {
  constexpr std::array kStatuses{"200", "201", "204", "400", "404", "405", "409",
                                 "413", "415", "421", "422", "429", "431", "503"};
  for (std::string_view rest = answer; !rest.empty();) {
    if (rest.starts_with("HTTP/1.1 100 Continue\r\n\r\n")) rest.remove_prefix(25);
    if (rest.empty()) return;
    const std::size_t end = rest.find("\r\n\r\n");
    if (!rest.starts_with("HTTP/1.1 ") || end == rest.npos) fail("not HTTP", answer);
    const std::string_view head = rest.substr(0, end + 2);
    if (std::ranges::find(kStatuses, head.substr(9, 3)) == kStatuses.end()) {
      fail("unknown status", answer);
    }
    rest.remove_prefix(end + 4);
    if (!whole && (rest.empty() || rest.starts_with("HTTP/1.1 "))) continue;  // to HEAD
    std::string body;
    if (!take_body(head, rest, body)) {
      if (whole) fail("cut short", answer);
      return;
    }
    check_body(field(head, "\r\nContent-Type: "), body, answer);
    if (whole && !rest.empty()) fail("more than one answer", answer);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kInputs = 500;  // of one server
  static std::unique_ptr<Target> target;
  static int inputs = 0;
  if (inputs % kInputs == 0) {
    target.reset();
    target = std::make_unique<Target>();
  }
  // Its threads must end before the tables of the library do.
  if (inputs++ == 0) std::atexit([] { target.reset(); });
  if (size == 0) return 0;
  constexpr std::string_view kJson = "application/json", kLines = "application/x-ndjson";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view body = bytes.substr(1);
  const auto send = [&](std::string_view path, std::string_view type,
                        std::string_view method = "POST") {
    const std::string answer = target->exchange(Target::request(path, type, body, method));
    if (answer.empty()) fail("no answer", bytes);
    check_answers(answer, true);
  };
  switch (data[0]) {
    case '1':
      send("/v1/models/default/predict", kJson);
      break;
    case '2':
      send("/v1/models/default/learn", kJson);
      break;
    case '3':
      send("/v1/models/default/predict", kLines);
      break;
    case '4':
      send("/v1/models/default/learn", kLines);
      break;
    case '5':
      send("/v1/models/three/learn", kJson);
      break;
    case '6':
      send("/v2/models/three/infer", kJson);
      break;
    case '7':
      send("/v1/models/new", kJson, "PUT");
      target->exchange("DELETE /v1/models/new HTTP/1.1\r\nHost: localhost\r\n\r\n");
      break;
    default:
      check_answers(target->exchange(bytes), false);
  }
  return 0;
}
