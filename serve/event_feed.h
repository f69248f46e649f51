// Server-sent events: sends the metrics of a model to those who listen, at most once a second, and only if they have
// changed. A comment now and then keeps proxies from closing a silent connection.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/documents.h"
#include "serve/http.h"

namespace plumbline::serve {

class EventFeed {
 public:
  EventFeed();
  ~EventFeed();
  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;

  // Sends nothing more; models may end after this.
  void stop();
  void add(const HostedPointer& hosted, std::shared_ptr<HttpStream> stream);
  std::size_t listeners() const;

 private:
  struct Listener {
    std::weak_ptr<Hosted> hosted;  // a removed model ends the stream
    std::shared_ptr<HttpStream> stream;
    std::uint64_t version;
    int silent_seconds;
  };
  void run();
  void send_news();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::vector<Listener> listeners_;
  std::thread thread_;
};

}  // namespace plumbline::serve
