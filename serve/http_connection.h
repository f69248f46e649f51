// One connection of the HTTP server: reads a request, waits for its answer, writes it, and reads on. All its steps run
// in its strand.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "serve/http_server.h"
#include "serve/socket.h"

namespace plumbline::serve {

class Connection;

// What the connections of a server share.
struct Connections {
  const HttpServer::Options& options;
  HttpHandler& handler;
  std::atomic<bool> stopping = false;
  std::atomic<std::size_t> count = 0;
  std::mutex mutex{};
  std::set<Connection*> all{};
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // With TLS if there is a context.
  Connection(Socket::Plain socket, const std::shared_ptr<boost::asio::ssl::context>& tls,
             Connections& server);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  // Refuses the connection with this answer.
  void start_and_refuse(HttpResponse response);
  // Closes an idle connection at once, and another one after its answer.
  void finish();
  void abort();

 private:
  using Clock = std::chrono::steady_clock;
  using ErrorCode = boost::system::error_code;
  enum class Phase { opening, idle, reading, handling, writing, streaming, closed };
  class Target;
  class Parts;
  class Stream;

  void set_deadline(std::chrono::milliseconds time) { deadline_ = Clock::now() + time; }
  void watch();
  void on_deadline();
  void close();

  void open_tls();
  void read_head();
  void read_rest_of_head();
  void on_head(ErrorCode error);
  void on_whole_head();
  void read_body();
  void read_more(std::size_t most, std::function<void(ErrorCode)> then);
  void on_read_error(ErrorCode error);
  std::optional<HttpResponse> mistake(ErrorCode error) const;
  void refuse(int status, const std::string& detail);

  void next_part(std::function<void(HttpPart)> report);
  void fill_part();
  void report_part(int status = 0, const std::string& detail = {});

  void handle();
  void answer(HttpResponse response);
  void write(HttpResponse response);
  void on_written();
  void close_after_writing();
  void drain();

  void begin_stream(const HttpResponse& head, HttpStream::Kind kind);
  void notice_end();
  void send(std::string text);
  void send_bytes(std::string bytes);
  void send_next();
  void end_stream();
  void when_room(std::function<void(bool)> go_on);
  void report_room();

  Connections& server_;
  Socket socket_;
  boost::asio::steady_timer timer_;
  Clock::time_point deadline_ = Clock::now();
  Clock::time_point started_{};
  boost::beast::flat_buffer buffer_;
  using Parser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
  std::optional<Parser> parser_;
  HttpHead head_;
  Phase phase_ = Phase::opening;
  bool keep_alive_ = true, timed_out_ = false, finishing_ = false;
  std::string body_;        // or the part of it that is being read
  std::size_t filled_ = 0;  // of it
  std::function<void(HttpPart)> part_;
  std::string output_;
  std::array<char, 4096> discarded_{};

  HttpStream::Kind kind_ = HttpStream::Kind::events;
  bool chunked_ = false, ended_ = false;
  std::deque<std::string> unsent_;
  std::size_t unsent_size_ = 0;
  std::function<void(bool)> room_;
  std::atomic<bool> gone_ = false;
};

}  // namespace plumbline::serve
