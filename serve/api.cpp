#include "serve/api.h"

#include <array>

#include <fmt/format.h>

#include "serve/assets.h"
#include "serve/history.h"
#include "serve/inference_protocol.h"
#include "serve/new_model.h"
#include "serve/problem.h"

namespace plumbline::serve {

enum class Need { nothing, any_token, predict, learn, admin };

// One kind of request. In a path, {m} is a model, and {*} all that is left.
struct Endpoint {
  const char* name;
  const char* method;
  const char* path;
  Need need;
};

namespace {

constexpr std::array<Endpoint, 21> kEndpoints{{
    {"predict", "POST", "/v1/models/{m}/predict", Need::predict},
    {"learn", "POST", "/v1/models/{m}/learn", Need::learn},
    {"models", "GET", "/v1/models", Need::any_token},
    {"model", "GET", "/v1/models/{m}", Need::any_token},
    {"make_model", "PUT", "/v1/models/{m}", Need::admin},
    {"remove_model", "DELETE", "/v1/models/{m}", Need::admin},
    {"metrics", "GET", "/v1/models/{m}/metrics", Need::any_token},
    {"events", "GET", "/v1/models/{m}/events", Need::any_token},
    {"id", "GET", "/v1/models/{m}/ids/{*}", Need::any_token},
    {"snapshot", "POST", "/v1/models/{m}/snapshot", Need::admin},
    {"file", "GET", "/v1/models/{m}/file", Need::admin},
    {"export", "GET", "/v1/models/{m}/export", Need::admin},
    {"live", "GET", "/v2/health/live", Need::nothing},
    {"ready", "GET", "/v2/health/ready", Need::nothing},
    {"server_metadata", "GET", "/v2", Need::any_token},
    {"model_metadata", "GET", "/v2/models/{m}", Need::any_token},
    {"model_ready", "GET", "/v2/models/{m}/ready", Need::nothing},
    {"infer", "POST", "/v2/models/{m}/infer", Need::predict},
    {"prometheus", "GET", "/metrics", Need::any_token},
    {"openapi", "GET", "/openapi.json", Need::nothing},
    {"page", "GET", "/{*}", Need::nothing},
}};

// Matches a path with a pattern.
bool matches(std::string_view pattern, std::string_view path, std::string& model,
             std::string& rest) {
  while (!pattern.empty()) {
    if (pattern.starts_with("{*}")) {
      rest = path;
      return true;
    }
    if (pattern.starts_with("{m}")) {
      const std::string_view segment = path.substr(0, path.find('/'));
      if (segment.empty()) return false;
      model = segment;
      pattern.remove_prefix(3);
      path.remove_prefix(segment.size());
      continue;
    }
    if (path.empty() || path.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
  }
  return path.empty();
}

const Asset* find_asset(std::string_view path) {
  for (const Asset& asset : assets()) {
    if (asset.path == path) return &asset;
  }
  return nullptr;
}

const char* type_of(std::string_view path) {
  if (path.ends_with(".html")) return "text/html; charset=utf-8";
  if (path.ends_with(".js") || path.ends_with(".mjs")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  if (path.ends_with(".json")) return "application/json";
  if (path.ends_with(".png")) return "image/png";
  return "text/plain; charset=utf-8";
}

HttpResponse asset_response(const Asset& asset) {
  HttpResponse response{.type = type_of(asset.path), .body = std::string(asset.bytes)};
  response.headers = {{"Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                       "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                       "frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}};
  return response;
}

HttpResponse json_response(const Json& json) {
  return {.body = print_json(json, -1, Json::error_handler_t::replace) + "\n"};
}

}  // namespace

struct Api::Route {
  const Endpoint* endpoint = nullptr;  // null if there is no such path
  std::string allowed{};               // methods of the path, if this one is not
  std::string model{}, rest{};
  bool is(std::string_view name) const { return endpoint != nullptr && name == endpoint->name; }
};

bool is_loopback_host(std::string_view host) {
  if (host.starts_with('[')) {
    host = host.substr(0, std::min(host.find(']'), host.size() - 1) + 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  return host == "localhost" || host == "[::1]" || host == "127.0.0.1";
}

Api::Api(Hosting& models, Tokens tokens, const ItemLimits& limits)
    : models_(models), tokens_(std::move(tokens)), limits_(limits) {}

void Api::set_tokens(Tokens tokens) {
  const std::lock_guard lock(tokens_mutex_);
  tokens_ = std::move(tokens);
}

Api::Route Api::route_of(const HttpHead& head) const {
  Route route;
  std::string_view method = head.method;
  if (method == "HEAD") method = "GET";
  for (const Endpoint& endpoint : kEndpoints) {
    std::string model, rest;
    if (!matches(endpoint.path, head.path, model, rest)) continue;
    if (method == endpoint.method) return {&endpoint, "", std::move(model), std::move(rest)};
    if (std::string_view(endpoint.name) == "page" && !route.allowed.empty()) continue;
    if (!route.allowed.empty()) route.allowed += ", ";
    route.allowed += endpoint.method;
  }
  return route;
}

// ---- Before the body

Problem Api::check_access(const HttpHead& head, const Route& route) const {
  const std::lock_guard lock(tokens_mutex_);
  if (tokens_.empty()) {
    // The name of a page's own server may have been made to point here.
    if (is_loopback_host(head.host)) return {};
    return {421, fmt::format("this server answers as localhost only, not as '{}'", head.host)};
  }
  if (route.endpoint->need == Need::nothing) return {};
  const Tokens::Answer answer = tokens_.check(head.authorization);
  if (!answer.known) return {401, "send a header 'Authorization: Bearer TOKEN'"};
  const auto need = [&](Scope scope, const char* name) -> Problem {
    if (answer.has(scope)) return {};
    return {403, fmt::format("the token lacks the scope '{}'", name)};
  };
  switch (route.endpoint->need) {
    case Need::predict:
      return need(Scope::predict, "predict");
    case Need::learn:
      return need(Scope::learn, "learn");
    case Need::admin:
      return need(Scope::admin, "admin");
    case Need::nothing:
    case Need::any_token:
      break;
  }
  return {};
}

std::optional<HttpResponse> Api::refuse(const HttpHead& head) {
  const Route route = route_of(head);
  if (route.endpoint == nullptr) {
    if (route.allowed.empty()) return problem(404, "there is no such path; see /openapi.json");
    HttpResponse response = problem(405, fmt::format("this path takes {}", route.allowed));
    response.headers.emplace_back("Allow", route.allowed);
    return response;
  }
  if (Problem denied = check_access(head, route)) return response_of(denied);
  if (!route.model.empty() && !route.is("make_model") && !models_.find(route.model)) {
    return problem(404, fmt::format("there is no model '{}'", route.model));
  }
  const ContentType type = content_type(head.content_type);
  const bool items = route.is("predict") || route.is("learn");
  if ((items && type == ContentType::other) || (route.is("infer") && type != ContentType::json)) {
    return problem(415, fmt::format("send 'Content-Type: application/json'{}; with curl: --json",
                                    items ? " or application/x-ndjson" : ""));
  }
  if (route.is("make_model") && type != ContentType::json && type != ContentType::file) {
    return problem(415,
                   "send 'Content-Type: application/json', or a model file as "
                   "application/octet-stream");
  }
  return std::nullopt;
}

bool Api::wants_parts(const HttpHead& head) {
  if (content_type(head.content_type) != ContentType::ndjson) return false;
  const Route route = route_of(head);
  return route.is("predict") || route.is("learn");
}

HttpResponse Api::problem(int status, const std::string& detail) {
  return response_of(Problem{status, detail});
}

void Api::answered(const HttpHead& head, int status, double seconds) {
  const Route route = route_of(head);
  statistics_.add(route.endpoint != nullptr ? route.endpoint->name : "none", status, seconds);
}

// ---- Requests

HttpResponse Api::readiness() const {
  if (stopping_) return response_of(Problem{503, "the server is stopping"});
  for (const HostedPointer& hosted : models_.all()) {
    const std::string& name = hosted->model.name();
    if (!hosted->model.ready()) {
      return response_of(
          Problem{503, fmt::format("the model '{}' is {}", name, name_of(hosted->model.state()))});
    }
    const std::string failure = hosted->model.log().failure();
    if (!failure.empty()) {
      return response_of(
          Problem{503, fmt::format("the log of '{}' cannot be written: {}", name, failure)});
    }
  }
  return json_response({{"ready", true}});
}

void Api::handle(HttpRequest request, HttpReply reply) {
  const Route route = route_of(request.head);
  if (route.is("make_model")) return make_model(route, std::move(request), reply);
  if (route.is("remove_model")) return remove_model(route, reply);
  if (!route.model.empty()) {
    const HostedPointer hosted = models_.find(route.model);
    if (hosted) return handle_model(route, hosted, request, reply);
    return reply.send(problem(404, fmt::format("there is no model '{}'", route.model)));
  }
  if (route.is("models")) {
    Json list = Json::array();
    for (const HostedPointer& hosted : models_.all()) list.push_back(model_document(*hosted));
    return reply.send(json_response({{"models", std::move(list)}}));
  }
  if (route.is("live")) return reply.send(json_response({{"live", true}}));
  if (route.is("ready")) return reply.send(readiness());
  if (route.is("server_metadata")) return reply.send(json_response(server_metadata()));
  if (route.is("prometheus")) {
    return reply.send({.type = "text/plain; version=0.0.4; charset=utf-8",
                       .body = prometheus_text(models_.all(), statistics_, connections_())});
  }
  const std::string path = route.is("openapi")  ? "openapi.json"
                           : route.rest.empty() ? "web/index.html"
                                                : "web/" + route.rest;
  const Asset* const asset = find_asset(path);
  if (asset == nullptr) return reply.send(problem(404, "there is no such path; see /openapi.json"));
  reply.send(asset_response(*asset));
}

void Api::make_model(const Route& route, HttpRequest request, const HttpReply& reply) {
  const bool file = content_type(request.head.content_type) == ContentType::file;
  if (!file && !request.body.empty() && parse_json(request.body).is_discarded()) {
    return reply.send(problem(400, "malformed JSON"));
  }
  const auto define = [file, body = std::move(request.body)] {
    return file ? new_model_of_file(body) : new_model_of_json(body);
  };
  models_.make(route.model, define, [reply](const Hosting::Made& made) {
    if (made.problem) return reply.send(response_of(made.problem));
    HttpResponse response = json_response(model_document(*made.hosted));
    if (made.is_new) response.status = 201;
    reply.send(std::move(response));
  });
}

void Api::remove_model(const Route& route, const HttpReply& reply) {
  models_.remove(route.model, [reply, name = route.model](const Problem& problem) {
    reply.send(problem ? response_of(problem) : json_response({{"removed", name}}));
  });
}

void Api::handle_model(const Route& route, const HostedPointer& hosted, const HttpRequest& request,
                       const HttpReply& reply) {
  ServedModel& model = hosted->model;
  if (route.is("predict") || route.is("learn")) {
    const ItemUse use = route.is("learn") ? ItemUse::learn : ItemUse::predict;
    const auto answer = request.parts ? answer_lines : answer_items;
    return answer(hosted, use, request, limits_, reply);
  }
  if (route.is("model")) return reply.send(json_response(model_document(*hosted)));
  if (route.is("metrics")) return reply.send(json_response(metrics_document(*hosted)));
  if (route.is("events")) {
    if (request.head.method == "HEAD") return reply.send({.type = "text/event-stream"});
    const auto stream =
        reply.stream({.type = "text/event-stream", .headers = {{"Cache-Control", "no-store"}}},
                     HttpStream::Kind::events);
    if (stream) feed_.add(hosted, stream);
    return;
  }
  if (route.is("id")) {
    const auto known = model.find(route.rest);
    if (!known) return reply.send(problem(404, "nothing is known of this id"));
    return reply.send(json_response(known_document(route.rest, *known, model.model().classes())));
  }
  if (route.is("snapshot")) {
    return model.take_snapshot([reply](const ServedModel::SnapshotResult& result) {
      reply.send(result.snapshot ? json_response(snapshot_document(*result.snapshot))
                                 : response_of(Problem{503, result.mistake}));
    });
  }
  if (route.is("export")) return send_history(hosted, request, reply);
  if (route.is("file")) {
    return model.get_file([reply](const ServedModel::FileResult& result) {
      if (!result.bytes) {
        return reply.send(response_of(Problem{503, "the model has learned no label yet"}));
      }
      reply.send(
          {.type = "application/octet-stream",
           .body = {reinterpret_cast<const char*>(result.bytes->data()), result.bytes->size()},
           .headers = {{"Plumbline-Learned", std::to_string(result.learned)}}});
    });
  }
  if (route.is("model_metadata")) return reply.send(json_response(protocol_metadata(*hosted)));
  if (route.is("model_ready")) {
    if (model.ready() && !stopping_) return reply.send(json_response({{"ready", true}}));
    return reply.send(problem(503, fmt::format("the model is {}", name_of(model.state()))));
  }
  infer(hosted, request, limits_, reply);
}

}  // namespace plumbline::serve
