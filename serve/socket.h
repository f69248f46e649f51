// A TCP connection, with or without TLS: a stream for Asio and Beast.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace plumbline::serve {

class Socket {
 public:
  using Plain = boost::asio::ip::tcp::socket;
  using executor_type = Plain::executor_type;

  // With TLS if there is a context.
  Socket(Plain plain, const std::shared_ptr<boost::asio::ssl::context>& context)
      : plain_(std::move(plain)) {
    if (context) tls_.emplace(plain_, *context);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  executor_type get_executor() { return plain_.get_executor(); }
  Plain& plain() { return plain_; }
  bool secure() const { return tls_.has_value(); }
  // What follows is not encrypted.
  void give_up_tls() { tls_.reset(); }

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) {
      tls_->async_read_some(buffers, std::forward<Handler>(handler));
    } else {
      plain_.async_read_some(buffers, std::forward<Handler>(handler));
    }
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) {
      tls_->async_write_some(buffers, std::forward<Handler>(handler));
    } else {
      plain_.async_write_some(buffers, std::forward<Handler>(handler));
    }
  }
  // Only with TLS.
  template <class Handler>
  void async_handshake(Handler&& handler) {
    tls_->async_handshake(boost::asio::ssl::stream_base::server, std::forward<Handler>(handler));
  }
  template <class Handler>
  void async_shutdown(Handler&& handler) {
    tls_->async_shutdown(std::forward<Handler>(handler));
  }

 private:
  Plain plain_;
  std::optional<boost::asio::ssl::stream<Plain&>> tls_;
};

}  // namespace plumbline::serve
