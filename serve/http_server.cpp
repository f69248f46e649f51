#include "serve/http_server.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

// Only what is needed, since these headers take most of the time of the build.
#include <fmt/format.h>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include "plumbline/error.h"
#include "serve/url_path.h"

namespace plumbline::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxHeader = 16 * 1024;
constexpr std::size_t kMostUnsent = std::size_t{4} << 20;  // bytes of a stream

// A body whose end a proxy in front might see elsewhere would hide a request.
bool has_one_length(const http::request_header<>& message) {
  const std::size_t lengths = message.count(http::field::content_length);
  const std::size_t encodings = message.count(http::field::transfer_encoding);
  if (lengths + encodings == 0) return true;
  if (lengths + encodings > 1) return false;
  if (encodings == 1) {
    return boost::beast::iequals(message[http::field::transfer_encoding], "chunked");
  }
  const auto digits = message[http::field::content_length];
  return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
}

std::string head_of(const HttpResponse& response, bool keep_alive, bool streamed) {
  const auto status = static_cast<unsigned>(response.status);
  const std::string phrase = http::obsolete_reason(http::int_to_status(status));
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", status, phrase, response.type);
  if (!streamed) head += fmt::format("Content-Length: {}\r\n", response.body.size());
  if (!keep_alive) head += "Connection: close\r\n";
  head += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : response.headers) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
  return head + "\r\n";
}

}  // namespace

class Connection;

struct HttpServer::Impl {
  Impl(const Options& server_options, HttpHandler& request_handler);
  void accept();
  void stop(std::chrono::milliseconds patience);

  const Options options;
  HttpHandler& handler;
  std::atomic<bool> stopping = false;
  std::mutex mutex;
  std::set<Connection*> connections;
  std::atomic<std::size_t> count = 0;
  net::io_context context;  // after what the connections use, which end with it
  tcp::acceptor acceptor;
  net::steady_timer pause;  // after a failure to accept
  std::optional<net::executor_work_guard<net::io_context::executor_type>> work;
  std::vector<std::thread> threads;
};

// One connection: reads a request, waits for its answer, writes it, and reads on. All its steps run in its strand.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, HttpServer::Impl& server)
      : server_(server), socket_(std::move(socket)), timer_(socket_.get_executor()) {
    const std::lock_guard lock(server_.mutex);
    server_.connections.insert(this);
    ++server_.count;
  }
  ~Connection() {
    const std::lock_guard lock(server_.mutex);
    server_.connections.erase(this);
    --server_.count;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    net::dispatch(socket_.get_executor(), [self = shared_from_this()] {
      self->read_head();
      self->watch();
    });
  }

  // Refuses the connection with this answer.
  void start_and_refuse(HttpResponse response) {
    net::dispatch(socket_.get_executor(),
                  [self = shared_from_this(), response = std::move(response)]() mutable {
                    self->set_deadline(std::chrono::seconds(5));
                    self->watch();
                    self->keep_alive_ = false;
                    self->write(std::move(response));
                  });
  }

  // Closes an idle connection at once, and another one after its answer.
  void finish() {
    net::dispatch(socket_.get_executor(), [self = shared_from_this()] {
      self->keep_alive_ = false;
      if (self->phase_ == Phase::idle || self->phase_ == Phase::streaming) self->close();
    });
  }

 private:
  enum class Phase { idle, reading, handling, writing, streaming, closed };

  // ---- Time

  void set_deadline(std::chrono::milliseconds time) { deadline_ = Clock::now() + time; }

  // The timer is set anew only when it fires, not with each request.
  void watch() {
    timer_.expires_at(deadline_);
    timer_.async_wait([self = shared_from_this()](error_code) {
      if (self->phase_ == Phase::closed) return;
      if (Clock::now() < self->deadline_) return self->watch();
      if (self->phase_ == Phase::handling || self->phase_ == Phase::streaming) {
        self->set_deadline(std::chrono::seconds(30));
        return self->watch();
      }
      if (self->phase_ != Phase::reading) return self->close();
      self->timed_out_ = true;
      error_code ignored;
      self->socket_.cancel(ignored);
      self->set_deadline(std::chrono::seconds(5));
      self->watch();
    });
  }

  void close() {
    phase_ = Phase::closed;
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
    timer_.cancel();
  }

  // ---- Reading

  void read_head() {
    phase_ = buffer_.size() > 0 ? Phase::reading : Phase::idle;
    set_deadline(phase_ == Phase::idle ? server_.options.idle : server_.options.request);
    parser_.emplace();
    parser_->header_limit(kMaxHeader);
    parser_->body_limit(server_.options.max_body);
    if (phase_ == Phase::reading) return read_rest_of_head();
    // The first byte ends the idle time.
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
      if (error || self->phase_ == Phase::closed) return self->close();
      self->phase_ = Phase::reading;
      self->set_deadline(self->server_.options.request);
      self->read_rest_of_head();
    });
  }

  void read_rest_of_head() {
    http::async_read_header(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_head(error); });
  }

  void on_head(error_code error) {
    if (phase_ == Phase::closed) return;
    if (error) return on_read_error(error);
    const auto& message = parser_->get();
    started_ = Clock::now();
    keep_alive_ = parser_->keep_alive() && !server_.stopping;
    head_ = {};
    head_.method = std::string(message.method_string());
    const std::string_view target(message.target().data(), message.target().size());
    const std::size_t mark = target.find('?');
    const auto path = decoded_path(target.substr(0, mark));
    if (mark != std::string_view::npos) head_.query = target.substr(mark + 1);
    const auto field = [&](http::field name) { return std::string(message[name]); };
    head_.host = field(http::field::host);
    head_.authorization = field(http::field::authorization);
    head_.content_type = field(http::field::content_type);
    head_.origin = field(http::field::origin);
    head_.trace = std::string(message["traceparent"]);
    if (!has_one_length(message)) return refuse(400, "the length of the body is ambiguous");
    if (message.count(http::field::host) != 1 && message.version() >= 11) {
      return refuse(400, "the request needs one header 'Host'");
    }
    if (message.version() != 11 && message.version() != 10) {
      return refuse(400, "only HTTP/1.0 and HTTP/1.1 are spoken here");
    }
    if (!path || !path->starts_with('/')) return refuse(400, "the path is malformed");
    head_.path = *path;
    const auto length = parser_->content_length();
    if (length && *length > server_.options.max_body) return refuse_body();
    if (std::optional<HttpResponse> refusal = server_.handler.refuse(head_)) {
      // Without its body, what follows on the connection could not be told from it.
      keep_alive_ = keep_alive_ && parser_->is_done();
      return answer(std::move(*refusal));
    }
    if (parser_->is_done()) return handle();
    if (message[http::field::expect] == "100-continue") {
      static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      net::async_write(socket_, net::buffer(kContinue),
                       [self = shared_from_this()](error_code failed, std::size_t) {
                         if (failed) return self->close();
                         self->read_body();
                       });
      return;
    }
    read_body();
  }

  void read_body() {
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (self->phase_ == Phase::closed) return;
                       if (error) return self->on_read_error(error);
                       self->handle();
                     });
  }

  void on_read_error(error_code error) {
    if (timed_out_) return refuse(408, "the request took too long");
    if (error == http::error::body_limit) return refuse_body();
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return refuse(431, fmt::format("the header exceeds {} bytes", kMaxHeader));
    }
    const bool is_http = error.category() == make_error_code(http::error::bad_method).category();
    if (is_http && error != http::error::end_of_stream && error != http::error::partial_message) {
      return refuse(400, fmt::format("malformed request: {}", error.message()));
    }
    close();
  }

  void refuse_body() {
    refuse(413,
           fmt::format("the body exceeds {} bytes; send it in parts", server_.options.max_body));
  }

  void refuse(int status, const std::string& detail) {
    keep_alive_ = false;
    answer(server_.handler.problem(status, detail));
  }

  // ---- Answering

  class Target : public HttpReply::Target {
   public:
    explicit Target(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
    // A handler that forgets a request must not leave its connection open for ever.
    ~Target() override {
      if (!answered_.exchange(true)) {
        post({.status = 500, .type = "text/plain", .body = "the request was not answered\n"});
      }
    }
    void send(HttpResponse response) override {
      if (!answered_.exchange(true)) post(std::move(response));
    }
    std::shared_ptr<HttpStream> stream(HttpResponse head) override;

   private:
    void post(HttpResponse response) {
      net::dispatch(connection_->socket_.get_executor(),
                    [self = connection_, response = std::move(response)]() mutable {
                      self->answer(std::move(response));
                    });
    }
    std::shared_ptr<Connection> connection_;
    std::atomic<bool> answered_ = false;
  };

  class Stream : public HttpStream {
   public:
    explicit Stream(const std::shared_ptr<Connection>& connection) : connection_(connection) {}
    bool send(std::string text) override {
      const std::shared_ptr<Connection> connection = connection_.lock();
      if (!connection || connection->gone_) return false;
      net::dispatch(
          connection->socket_.get_executor(),
          [connection, text = std::move(text)]() mutable { connection->send(std::move(text)); });
      return true;
    }

   private:
    std::weak_ptr<Connection> connection_;
  };

  void handle() {
    phase_ = Phase::handling;
    HttpRequest request{head_, std::move(parser_->get().body())};
    server_.handler.handle(std::move(request),
                           HttpReply(std::make_shared<Target>(shared_from_this())));
  }

  void answer(HttpResponse response) {
    if (phase_ == Phase::closed) return;
    const std::chrono::duration<double> taken = Clock::now() - started_;
    server_.handler.answered(head_, response.status, taken.count());
    write(std::move(response));
  }

  void write(HttpResponse response) {
    phase_ = Phase::writing;
    keep_alive_ = keep_alive_ && !server_.stopping;
    set_deadline(server_.options.request);
    output_ = head_of(response, keep_alive_, false);
    if (head_.method != "HEAD") output_ += response.body;
    net::async_write(socket_, net::buffer(output_),
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error || self->phase_ == Phase::closed) return self->close();
                       if (!self->keep_alive_) return self->close_after_writing();
                       self->read_head();
                     });
  }

  // The client may still be sending: a reset would discard the answer before it is read.
  void close_after_writing() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    set_deadline(std::chrono::seconds(1));
    drain();
  }
  void drain() {
    socket_.async_read_some(net::buffer(discarded_),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error || Clock::now() > self->deadline_) return self->close();
                              self->drain();
                            });
  }

  // ---- Streams

  void begin_stream(const HttpResponse& head) {
    if (phase_ == Phase::closed) return;
    server_.handler.answered(head_, head.status, 0);
    phase_ = Phase::streaming;
    keep_alive_ = false;
    send(head_of(head, false, true));
    notice_end();
  }

  // The client sends nothing more: what comes is its end.
  void notice_end() {
    socket_.async_read_some(net::buffer(discarded_),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (!error) return self->notice_end();
                              self->gone_ = true;
                              self->close();
                            });
  }

  void send(std::string text) {
    if (phase_ != Phase::streaming) return;
    unsent_size_ += text.size();
    if (unsent_size_ > kMostUnsent) {
      gone_ = true;
      return close();
    }
    unsent_.push_back(std::move(text));
    if (unsent_.size() == 1) send_next();
  }

  void send_next() {
    net::async_write(socket_, net::buffer(unsent_.front()),
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error) {
                         self->gone_ = true;
                         return self->close();
                       }
                       self->unsent_size_ -= self->unsent_.front().size();
                       self->unsent_.pop_front();
                       if (!self->unsent_.empty()) self->send_next();
                     });
  }

  HttpServer::Impl& server_;
  tcp::socket socket_;
  net::steady_timer timer_;
  Clock::time_point deadline_ = Clock::now();
  Clock::time_point started_{};
  boost::beast::flat_buffer buffer_{kMaxHeader + 64 * 1024};
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpHead head_;
  Phase phase_ = Phase::idle;
  bool keep_alive_ = true, timed_out_ = false;
  std::string output_;
  std::array<char, 4096> discarded_{};
  std::deque<std::string> unsent_;
  std::size_t unsent_size_ = 0;
  std::atomic<bool> gone_ = false;
};

std::shared_ptr<HttpStream> Connection::Target::stream(HttpResponse head) {
  if (answered_.exchange(true)) return nullptr;
  net::dispatch(connection_->socket_.get_executor(),
                [self = connection_, head = std::move(head)] { self->begin_stream(head); });
  return std::make_shared<Stream>(connection_);
}

HttpServer::Impl::Impl(const Options& server_options, HttpHandler& request_handler)
    : options(server_options),
      handler(request_handler),
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
    if (stopping || error == net::error::operation_aborted) return;
    if (error) {  // no descriptors, for instance
      pause.expires_after(std::chrono::milliseconds(100));
      pause.async_wait([this](error_code) { accept(); });
      return;
    }
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto connection = std::make_shared<Connection>(std::move(socket), *this);
    if (count > options.max_connections) {
      connection->start_and_refuse(
          handler.problem(503, "the server has too many connections; try again later"));
    } else {
      connection->start();
    }
    accept();
  });
}

void HttpServer::Impl::stop(std::chrono::milliseconds patience) {
  if (!stopping.exchange(true)) {
    net::dispatch(context, [this] {
      error_code ignored;
      acceptor.close(ignored);
      pause.cancel();
    });
    const auto end = Clock::now() + patience;
    while (count > 0 && Clock::now() < end) {
      std::vector<std::shared_ptr<Connection>> alive;
      {
        const std::lock_guard lock(mutex);
        for (Connection* const connection : connections) {
          if (auto one = connection->weak_from_this().lock()) alive.push_back(std::move(one));
        }
      }
      for (const auto& connection : alive) connection->finish();
      alive.clear();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  work.reset();
  context.stop();
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
}

HttpServer::HttpServer(const Options& options, HttpHandler& handler)
    : impl_(std::make_unique<Impl>(options, handler)) {}
HttpServer::~HttpServer() { impl_->stop(std::chrono::milliseconds(0)); }
std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }
std::size_t HttpServer::connections() const { return impl_->count; }
void HttpServer::stop(std::chrono::milliseconds patience) { impl_->stop(patience); }

}  // namespace plumbline::serve
