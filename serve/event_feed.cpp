#include "serve/event_feed.h"

#include <chrono>
#include <map>

namespace plumbline::serve {
namespace {

constexpr int kMostSilence = 15;  // seconds

std::string event_of(const Hosted& hosted) {
  return "event: metrics\ndata: " + print_json(metrics_document(hosted)) + "\n\n";
}

}  // namespace

EventFeed::EventFeed() : thread_([this] { run(); }) {}

EventFeed::~EventFeed() { stop(); }

void EventFeed::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EventFeed::add(const HostedPointer& hosted, std::shared_ptr<HttpStream> stream) {
  const std::uint64_t version = version_of(*hosted);
  stream->send("retry: 2000\n\n" + event_of(*hosted));
  const std::lock_guard lock(mutex_);
  listeners_.push_back({hosted, std::move(stream), version, 0});
}

std::size_t EventFeed::listeners() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size();
}

void EventFeed::run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; })) send_news();
}

void EventFeed::send_news() {
  std::map<const Hosted*, std::string> events;  // one for all who listen
  std::erase_if(listeners_, [&](Listener& listener) {
    const HostedPointer hosted = listener.hosted.lock();
    if (!hosted) {
      listener.stream->end();
      return true;
    }
    const std::uint64_t version = version_of(*hosted);
    if (version == listener.version) {
      if (++listener.silent_seconds < kMostSilence) return false;
      listener.silent_seconds = 0;
      return !listener.stream->send(": still here\n\n");
    }
    listener.version = version;
    listener.silent_seconds = 0;
    std::string& event = events[hosted.get()];
    if (event.empty()) event = event_of(*hosted);
    return !listener.stream->send(event);
  });
}

}  // namespace plumbline::serve
