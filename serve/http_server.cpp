#include "serve/http_server.h"

#include <thread>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include "plumbline/error.h"
#include "serve/http_connection.h"

namespace plumbline::serve {
namespace {

namespace net = boost::asio;
using tcp = net::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

}  // namespace

struct HttpServer::Impl {
  Impl(const Options& server_options, HttpHandler& request_handler);
  void accept();
  void stop(std::chrono::milliseconds patience);
  // Does it to all connections again and again, until there are none.
  void end_connections(std::chrono::milliseconds patience, void (Connection::*end)());
  std::shared_ptr<net::ssl::context> tls_context() {
    const std::lock_guard lock(tls_mutex);
    return tls;
  }

  const Options options;
  Connections shared;
  std::mutex tls_mutex;
  std::shared_ptr<net::ssl::context> tls;  // null without TLS
  net::io_context context;                 // after what the connections use, which end with it
  tcp::acceptor acceptor;
  net::steady_timer pause;  // after a failure to accept
  std::optional<net::executor_work_guard<net::io_context::executor_type>> work;
  std::vector<std::thread> threads;
};

HttpServer::Impl::Impl(const Options& server_options, HttpHandler& request_handler)
    : options(server_options),
      shared{.options = options, .handler = request_handler},
      tls(options.tls ? load_tls(*options.tls) : nullptr),
      context(static_cast<int>(server_options.threads)),
      acceptor(context),
      pause(context) {
  error_code error;
  const auto check = [&](const char* what) {
    if (!error) return;
    throw Error(ErrorKind::io, fmt::format("cannot {} {} port {}: {}", what, options.host,
                                           options.port, error.message()));
  };
  const net::ip::address address = net::ip::make_address(options.host, error);
  check("understand the address");
  const tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol(), error);
  check("open");
  acceptor.set_option(net::socket_base::reuse_address(true), error);
  acceptor.bind(endpoint, error);
  check("listen on");
  acceptor.listen(4096, error);
  check("listen on");
  work.emplace(context.get_executor());
  accept();
  for (std::size_t i = 0; i < options.threads; ++i) {
    threads.emplace_back([this] { context.run(); });
  }
}

void HttpServer::Impl::accept() {
  acceptor.async_accept(net::make_strand(context), [this](error_code error, tcp::socket socket) {
    if (shared.stopping || error == net::error::operation_aborted) return;
    if (error) {  // no descriptors, for instance
      pause.expires_after(std::chrono::milliseconds(100));
      pause.async_wait([this](error_code) { accept(); });
      return;
    }
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto connection = std::make_shared<Connection>(std::move(socket), tls_context(), shared);
    if (shared.count > options.max_connections) {
      connection->start_and_refuse(
          shared.handler.problem(503, "the server has too many connections; try again later"));
    } else {
      connection->start();
    }
    accept();
  });
}

void HttpServer::Impl::stop(std::chrono::milliseconds patience) {
  if (!shared.stopping.exchange(true)) {
    net::dispatch(context, [this] {
      error_code ignored;
      acceptor.close(ignored);
      pause.cancel();
    });
    end_connections(patience, &Connection::finish);
    end_connections(std::chrono::seconds(1), &Connection::abort);
  }
  work.reset();
  context.stop();
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
}

void HttpServer::Impl::end_connections(std::chrono::milliseconds patience,
                                       void (Connection::*end)()) {
  const auto last = Clock::now() + patience;
  while (shared.count > 0 && Clock::now() < last) {
    std::vector<std::shared_ptr<Connection>> alive;
    {
      const std::lock_guard lock(shared.mutex);
      for (Connection* const connection : shared.all) {
        if (auto one = connection->weak_from_this().lock()) alive.push_back(std::move(one));
      }
    }
    for (const auto& connection : alive) ((*connection).*end)();
    alive.clear();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

HttpServer::HttpServer(const Options& options, HttpHandler& handler)
    : impl_(std::make_unique<Impl>(options, handler)) {}
HttpServer::~HttpServer() { impl_->stop(std::chrono::milliseconds(0)); }
std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }
std::size_t HttpServer::connections() const { return impl_->shared.count; }
void HttpServer::stop(std::chrono::milliseconds patience) { impl_->stop(patience); }

void HttpServer::reload_tls() {
  if (!impl_->options.tls) return;
  auto fresh = load_tls(*impl_->options.tls);
  const std::lock_guard lock(impl_->tls_mutex);
  impl_->tls = std::move(fresh);
}

}  // namespace plumbline::serve
