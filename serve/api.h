// The requests of the server: which paths there are, which scope each needs, and what answers it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "serve/documents.h"
#include "serve/event_feed.h"
#include "serve/http.h"
#include "serve/item_requests.h"
#include "serve/prometheus.h"
#include "serve/request_statistics.h"
#include "serve/tokens.h"

namespace plumbline::serve {

class Api : public HttpHandler {
 public:
  // The models must outlive the requests. Without tokens, only requests to a loopback name are answered.
  Api(Hosting& models, Tokens tokens, const ItemLimits& limits);

  void set_tokens(Tokens tokens);
  // From now on, the server is not ready.
  void begin_to_stop() { stopping_ = true; }
  // When no request can come any more: models may end after this.
  void stop() { feed_.stop(); }
  void set_connections(std::function<std::size_t()> connections) {
    connections_ = std::move(connections);
  }

  std::optional<HttpResponse> refuse(const HttpHead& head) override;
  bool wants_parts(const HttpHead& head) override;
  void handle(HttpRequest request, HttpReply reply) override;
  HttpResponse problem(int status, const std::string& detail) override;
  void answered(const HttpHead& head, int status, double seconds) override;

 private:
  // What a path means.
  struct Route;
  Route route_of(const HttpHead& head) const;
  Problem check_access(const HttpHead& head, const Route& route) const;
  HttpResponse readiness() const;
  void make_model(const Route& route, HttpRequest request, const HttpReply& reply);
  void remove_model(const Route& route, const HttpReply& reply);
  void handle_model(const Route& route, const HostedPointer& hosted, const HttpRequest& request,
                    const HttpReply& reply);

  Hosting& models_;
  mutable std::mutex tokens_mutex_;
  Tokens tokens_;
  const ItemLimits limits_;
  std::atomic<bool> stopping_ = false;
  std::function<std::size_t()> connections_ = [] { return std::size_t{0}; };
  RequestStatistics statistics_;
  EventFeed feed_;
};

// True for localhost and loopback addresses, with or without a port.
bool is_loopback_host(std::string_view host);

}  // namespace plumbline::serve
