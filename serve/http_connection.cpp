#include "serve/http_connection.h"

#include <algorithm>

// Only what is needed, since these headers take most of the time of the build.
#include <fmt/format.h>
#include <sys/socket.h>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include "serve/http_wire.h"
#include "serve/url_path.h"

namespace plumbline::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;

constexpr std::size_t kMaxHeader = 16 * 1024;
constexpr std::size_t kAtOnce = 64 * 1024;                 // bytes read
constexpr std::size_t kPart = 256 * 1024;                  // of a body
constexpr std::size_t kMostEvents = std::size_t{4} << 20;  // bytes that wait to be sent

}  // namespace

Connection::Connection(Socket::Plain socket, const std::shared_ptr<net::ssl::context>& tls,
                       Connections& server)
    : server_(server),
      socket_(std::move(socket), tls),
      timer_(socket_.get_executor()),
      buffer_(kMaxHeader + kAtOnce) {
  const std::lock_guard lock(server_.mutex);
  server_.all.insert(this);
  ++server_.count;
}

Connection::~Connection() {
  const std::lock_guard lock(server_.mutex);
  server_.all.erase(this);
  --server_.count;
}

void Connection::start() {
  net::dispatch(socket_.get_executor(), [self = shared_from_this()] {
    if (self->socket_.secure()) {
      self->open_tls();
    } else {
      self->read_head();
    }
    self->watch();
  });
}

void Connection::start_and_refuse(HttpResponse response) {
  net::dispatch(socket_.get_executor(),
                [self = shared_from_this(), response = std::move(response)]() mutable {
                  if (self->socket_.secure()) return self->close();
                  self->set_deadline(std::chrono::seconds(5));
                  self->watch();
                  self->keep_alive_ = false;
                  self->write(std::move(response));
                });
}

void Connection::finish() {
  net::dispatch(socket_.get_executor(), [self = shared_from_this()] {
    self->keep_alive_ = false;
    self->finishing_ = true;
    const bool events = self->phase_ == Phase::streaming && self->kind_ == HttpStream::Kind::events;
    if (self->phase_ == Phase::idle || self->phase_ == Phase::opening || events) self->close();
    // What the client would send next is not waited for.
    if (self->part_ && self->unsent_.empty()) {
      ErrorCode ignored;
      self->socket_.plain().cancel(ignored);
    }
  });
}

void Connection::abort() {
  net::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
}

// ---- Time

// The timer is set anew only when it fires, not with each request, so that a deadline may pass by the time of one.
void Connection::watch() {
  timer_.expires_at(std::min(deadline_, Clock::now() + server_.options.request));
  timer_.async_wait([self = shared_from_this()](ErrorCode) {
    if (self->phase_ == Phase::closed) return;
    if (Clock::now() >= self->deadline_) self->on_deadline();
    if (self->phase_ != Phase::closed) self->watch();
  });
}

void Connection::on_deadline() {
  if (phase_ == Phase::handling || phase_ == Phase::streaming) {
    const bool body = phase_ == Phase::handling || kind_ == HttpStream::Kind::body;
    // A client that does not read what it has asked for.
    if (body && !unsent_.empty()) return close();
    set_deadline(server_.options.request);
    if (!part_) return;  // the handler takes its time, or events are rare
  } else if (phase_ != Phase::reading) {
    return close();
  }
  timed_out_ = true;
  ErrorCode ignored;
  socket_.plain().cancel(ignored);
  set_deadline(std::chrono::seconds(5));
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  gone_ = true;
  ErrorCode ignored;
  socket_.plain().shutdown(Socket::Plain::shutdown_both, ignored);
  socket_.plain().close(ignored);
  timer_.cancel();
  // Whoever waits for this connection is told, and lets go of it.
  net::post(socket_.get_executor(), [self = shared_from_this()] {
    self->report_part(408, "the client has gone");
    self->report_room();
  });
}

// ---- Reading

void Connection::open_tls() {
  set_deadline(server_.options.request);
  socket_.plain().async_wait(
      Socket::Plain::wait_read, [self = shared_from_this()](ErrorCode error) {
        if (error || self->phase_ == Phase::closed) return self->close();
        constexpr unsigned char kHandshake = 22;  // the first byte of TLS
        unsigned char first = 0;
        const auto got =
            ::recv(self->socket_.plain().native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
        if (got == 1 && first != kHandshake) {
          self->socket_.give_up_tls();
          self->started_ = Clock::now();
          return self->refuse(400, "this port speaks TLS: use https:// in the URL");
        }
        self->socket_.async_handshake([self](ErrorCode failed) {
          if (failed || self->phase_ == Phase::closed) return self->close();
          self->read_head();
        });
      });
}

void Connection::read_head() {
  phase_ = buffer_.size() > 0 ? Phase::reading : Phase::idle;
  set_deadline(phase_ == Phase::idle ? server_.options.idle : server_.options.request);
  parser_.emplace();
  parser_->header_limit(kMaxHeader);
  parser_->body_limit(boost::none);
  if (phase_ == Phase::reading) return read_rest_of_head();
  const auto on_begin = [self = shared_from_this()](ErrorCode error) {
    if (error || self->phase_ == Phase::closed) return self->close();
    self->phase_ = Phase::reading;
    self->set_deadline(self->server_.options.request);
    self->read_rest_of_head();
  };
  // The first byte ends the idle time. An idle connection without TLS has no buffer.
  if (!socket_.secure()) return socket_.plain().async_wait(Socket::Plain::wait_read, on_begin);
  socket_.async_read_some(buffer_.prepare(4096), [self = shared_from_this(), on_begin](
                                                     ErrorCode error, std::size_t bytes) {
    self->buffer_.commit(bytes);
    on_begin(error);
  });
}

void Connection::read_rest_of_head() {
  http::async_read_header(
      socket_, buffer_, *parser_,
      [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_head(error); });
}

void Connection::on_head(ErrorCode error) {
  if (phase_ == Phase::closed) return;
  started_ = Clock::now();
  head_ = {};
  if (error) return on_read_error(error);
  const auto& message = parser_->get();
  keep_alive_ = parser_->keep_alive() && !server_.stopping;
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
  on_whole_head();
}

void Connection::on_whole_head() {
  const bool parts = server_.handler.wants_parts(head_);
  if (!parts) {
    const auto length = parser_->content_length();
    if (length && *length > server_.options.max_body) {
      return on_read_error(http::error::body_limit);
    }
    parser_->body_limit(server_.options.max_body);
  }
  if (std::optional<HttpResponse> refusal = server_.handler.refuse(head_)) {
    // Without its body, what follows on the connection could not be told from it.
    keep_alive_ = keep_alive_ && parser_->is_done();
    return answer(std::move(*refusal));
  }
  body_.clear();
  filled_ = 0;
  const auto go_on = [self = shared_from_this(), parts] {
    if (parts) return self->handle();
    self->read_body();
  };
  if (parser_->get()[http::field::expect] != "100-continue" || parser_->is_done()) return go_on();
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  net::async_write(socket_, net::buffer(kContinue),
                   [self = shared_from_this(), go_on](ErrorCode failed, std::size_t) {
                     if (failed || self->phase_ == Phase::closed) return self->close();
                     go_on();
                   });
}

// Reads what comes next of the body, after what is filled, as long as there is room for it.
void Connection::read_more(std::size_t most, std::function<void(ErrorCode)> then) {
  const auto length = parser_->content_length_remaining();
  std::size_t room = std::min(kAtOnce, most);
  if (length) room = static_cast<std::size_t>(std::min<std::uint64_t>(room, *length));
  if (body_.size() < filled_ + room) {
    // Twice as much each time, so that little is copied, and nothing is promised to a length alone.
    body_.reserve(std::min(std::max(body_.capacity(), filled_ + room), filled_ + most));
    body_.resize(filled_ + room);
  }
  auto& target = parser_->get().body();
  target.data = body_.data() + filled_;
  target.size = body_.size() - filled_;
  target.more = true;
  http::async_read_some(
      socket_, buffer_, *parser_,
      [self = shared_from_this(), then = std::move(then)](ErrorCode error, std::size_t) {
        self->filled_ = self->body_.size() - self->parser_->get().body().size;
        if (error == http::error::need_buffer) error = {};
        then(error);
      });
}

void Connection::read_body() {
  if (parser_->is_done()) {
    body_.resize(filled_);
    return handle();
  }
  read_more(server_.options.max_body + 1 - filled_, [self = shared_from_this()](ErrorCode error) {
    if (self->phase_ == Phase::closed) return;
    if (error) return self->on_read_error(error);
    self->read_body();
  });
}

// Nothing if the client is gone.
std::optional<HttpResponse> Connection::mistake(ErrorCode error) const {
  const auto problem = [&](int status, const std::string& detail) {
    return server_.handler.problem(status, detail);
  };
  if (timed_out_) return problem(408, "the request took too long");
  if (error == http::error::body_limit) {
    return problem(
        413, fmt::format("the body exceeds {} bytes; send it in parts", server_.options.max_body));
  }
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return problem(431, fmt::format("the header exceeds {} bytes", kMaxHeader));
  }
  const bool is_http = error.category() == make_error_code(http::error::bad_method).category();
  if (is_http && error != http::error::end_of_stream && error != http::error::partial_message) {
    return problem(400, fmt::format("malformed request: {}", error.message()));
  }
  return std::nullopt;
}

void Connection::on_read_error(ErrorCode error) {
  std::optional<HttpResponse> response = mistake(error);
  if (!response) return close();
  keep_alive_ = false;
  answer(std::move(*response));
}

void Connection::refuse(int status, const std::string& detail) {
  keep_alive_ = false;
  answer(server_.handler.problem(status, detail));
}

// ---- A body in parts

class Connection::Parts : public HttpParts {
 public:
  explicit Parts(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  void next(std::function<void(HttpPart)> report) override {
    net::dispatch(connection_->socket_.get_executor(),
                  [self = connection_, report = std::move(report)]() mutable {
                    self->next_part(std::move(report));
                  });
  }

 private:
  std::shared_ptr<Connection> connection_;
};

void Connection::next_part(std::function<void(HttpPart)> report) {
  part_ = std::move(report);
  body_ = {};
  filled_ = 0;
  if (phase_ == Phase::closed) return report_part(408, "the client has gone");
  set_deadline(server_.options.request);
  fill_part();
}

// A body of known length comes in parts as large as may be, another one as its bytes arrive.
void Connection::fill_part() {
  if (finishing_) return report_part(503, "the server is stopping");
  const bool whole = parser_->is_done() || filled_ >= kPart;
  ErrorCode ignored;
  constexpr std::size_t kEndOfChunk = 2;  // bytes that are parsed with the next chunk
  const bool waits = !parser_->content_length() && filled_ > 0 && buffer_.size() <= kEndOfChunk &&
                     socket_.plain().available(ignored) == 0;
  if (whole || waits) return report_part();
  read_more(kPart - filled_, [self = shared_from_this()](ErrorCode error) {
    if (self->phase_ == Phase::closed) return;
    self->set_deadline(self->server_.options.request);
    if (!error) return self->fill_part();
    if (self->finishing_) return self->report_part(503, "the server is stopping");
    if (self->timed_out_) return self->report_part(408, "the rest of the body took too long");
    if (!self->mistake(error)) return self->close();
    self->report_part(400, fmt::format("malformed request: {}", error.message()));
  });
}

void Connection::report_part(int status, const std::string& detail) {
  if (!part_) return;
  body_.resize(status == 0 ? filled_ : 0);
  HttpPart part{std::move(body_), status == 0 && parser_->is_done(), status, detail};
  if (status != 0) keep_alive_ = false;
  body_ = {};
  filled_ = 0;
  std::exchange(part_, nullptr)(std::move(part));
}

// ---- Answering

class Connection::Target : public HttpReply::Target {
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
  std::shared_ptr<HttpStream> stream(HttpResponse head, HttpStream::Kind kind) override;

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

class Connection::Stream : public HttpStream {
 public:
  explicit Stream(const std::shared_ptr<Connection>& connection) : connection_(connection) {}
  // An answer that is not whole must not look so.
  ~Stream() override {
    const std::shared_ptr<Connection> connection = connection_.lock();
    if (!connection) return;
    // Not at once, even in the strand: another thread may have asked for the end just now.
    net::post(connection->socket_.get_executor(), [connection] {
      if (connection->phase_ == Phase::streaming && !connection->ended_) connection->close();
    });
  }
  bool send(std::string text) override {
    const std::shared_ptr<Connection> connection = connection_.lock();
    if (!connection || connection->gone_) return false;
    net::dispatch(
        connection->socket_.get_executor(),
        [connection, text = std::move(text)]() mutable { connection->send(std::move(text)); });
    return true;
  }
  void end() override {
    const std::shared_ptr<Connection> connection = connection_.lock();
    if (!connection) return;
    net::dispatch(connection->socket_.get_executor(), [connection] { connection->end_stream(); });
  }
  void when_room(std::function<void(bool)> go_on) override {
    const std::shared_ptr<Connection> connection = connection_.lock();
    if (!connection) return go_on(false);
    net::dispatch(connection->socket_.get_executor(),
                  [connection, go_on = std::move(go_on)]() mutable {
                    connection->when_room(std::move(go_on));
                  });
  }

 private:
  std::weak_ptr<Connection> connection_;
};

std::shared_ptr<HttpStream> Connection::Target::stream(HttpResponse head, HttpStream::Kind kind) {
  if (answered_.exchange(true)) return nullptr;
  net::dispatch(connection_->socket_.get_executor(), [self = connection_, head = std::move(head),
                                                      kind] { self->begin_stream(head, kind); });
  return std::make_shared<Stream>(connection_);
}

void Connection::handle() {
  phase_ = Phase::handling;
  HttpRequest request{.head = head_};
  if (server_.handler.wants_parts(head_)) {
    request.parts = std::make_shared<Parts>(shared_from_this());
  } else {
    request.body = std::move(body_);
  }
  server_.handler.handle(std::move(request),
                         HttpReply(std::make_shared<Target>(shared_from_this())));
}

void Connection::answer(HttpResponse response) {
  if (phase_ == Phase::closed) return;
  const std::chrono::duration<double> taken = Clock::now() - started_;
  server_.handler.answered(head_, response.status, taken.count());
  write(std::move(response));
}

void Connection::write(HttpResponse response) {
  phase_ = Phase::writing;
  // What is left of a body that the handler has not read would be taken for the next request.
  const bool read = !parser_ || parser_->is_done();
  keep_alive_ = keep_alive_ && read && !server_.stopping;
  set_deadline(server_.options.request);
  output_ = head_of(response, keep_alive_, Framing::length);
  if (head_.method != "HEAD") output_ += response.body;
  net::async_write(socket_, net::buffer(output_),
                   [self = shared_from_this()](ErrorCode error, std::size_t) {
                     if (error || self->phase_ == Phase::closed) return self->close();
                     self->on_written();
                   });
}

void Connection::on_written() {
  if (!keep_alive_) return close_after_writing();
  read_head();
}

// The client may still be sending: a reset would discard the answer before it is read.
void Connection::close_after_writing() {
  phase_ = Phase::writing;
  set_deadline(std::chrono::seconds(1));
  timer_.cancel();  // to watch this deadline at once
  const auto shut = [self = shared_from_this()] {
    if (self->phase_ == Phase::closed) return;
    ErrorCode ignored;
    self->socket_.plain().shutdown(Socket::Plain::shutdown_send, ignored);
    self->drain();
  };
  if (!socket_.secure()) return shut();
  socket_.async_shutdown([shut](ErrorCode) { shut(); });
}

void Connection::drain() {
  socket_.plain().async_read_some(net::buffer(discarded_),
                                  [self = shared_from_this()](ErrorCode error, std::size_t) {
                                    if (error || Clock::now() > self->deadline_)
                                      return self->close();
                                    self->drain();
                                  });
}

// ---- Streams

void Connection::begin_stream(const HttpResponse& head, HttpStream::Kind kind) {
  if (phase_ == Phase::closed) return;
  const bool body = kind == HttpStream::Kind::body;
  const std::chrono::duration<double> taken = Clock::now() - started_;
  server_.handler.answered(head_, head.status, body ? taken.count() : 0);
  phase_ = Phase::streaming;
  kind_ = kind;
  ended_ = false;
  chunked_ = body && parser_->get().version() == 11;
  keep_alive_ = keep_alive_ && chunked_ && !server_.stopping;
  send_bytes(head_of(head, keep_alive_, chunked_ ? Framing::chunks : Framing::connection));
  if (!body) notice_end();
}

// The client sends nothing more: what comes is its end.
void Connection::notice_end() {
  socket_.async_read_some(net::buffer(discarded_),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            if (!error) return self->notice_end();
                            self->close();
                          });
}

void Connection::send(std::string text) {
  if (phase_ != Phase::streaming || ended_ || text.empty()) return;
  const bool events = kind_ == HttpStream::Kind::events;
  if (events && unsent_size_ + text.size() > kMostEvents) return close();
  send_bytes(chunked_ ? as_chunk(text) : std::move(text));
}

void Connection::send_bytes(std::string bytes) {
  unsent_size_ += bytes.size();
  unsent_.push_back(std::move(bytes));
  if (unsent_.size() == 1) {
    set_deadline(server_.options.request);
    send_next();
  }
}

void Connection::send_next() {
  net::async_write(socket_, net::buffer(unsent_.front()),
                   [self = shared_from_this()](ErrorCode error, std::size_t) {
                     if (error || self->phase_ == Phase::closed) return self->close();
                     self->set_deadline(self->server_.options.request);
                     self->unsent_size_ -= self->unsent_.front().size();
                     self->unsent_.pop_front();
                     // Before whoever gets room sends more, which begins anew if nothing is left.
                     const bool more = !self->unsent_.empty();
                     if (more) self->send_next();
                     if (!more && self->ended_) return self->on_written();
                     self->report_room();
                     if (self->finishing_) self->finish();
                   });
}

void Connection::end_stream() {
  if (phase_ != Phase::streaming || ended_) return;
  ended_ = true;
  // Of a body that has not been read to its end, the rest would be taken for the next request.
  keep_alive_ = keep_alive_ && parser_->is_done();
  if (chunked_) return send_bytes(kLastChunk);
  if (unsent_.empty()) on_written();
}

// A body's answers may wait in as much memory as a body may, so that a client that sends all before it reads is served.
void Connection::when_room(std::function<void(bool)> go_on) {
  room_ = std::move(go_on);
  report_room();
}

void Connection::report_room() {
  if (!room_) return;
  if (phase_ != Phase::closed && unsent_size_ > server_.options.max_body) return;
  std::exchange(room_, nullptr)(phase_ != Phase::closed);
}

}  // namespace plumbline::serve
