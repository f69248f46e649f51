// Signals during a long call that has released Python's lock: Ctrl-C ends it, other handlers run during it.
#pragma once

#include <chrono>
#include <optional>

namespace plumbline::python {

class Signals {
 public:
  static constexpr std::chrono::milliseconds kPeriod{50};

  // True if it is time to check for signals: once per period, first after one period. Always false on threads other
  // than Python's main thread, which alone runs handlers.
  bool due();
  // Runs the handlers of pending signals. Throws their exceptions as nanobind's python_error. It acquires Python's
  // lock, so call it only if due.
  void handle();

 private:
  std::optional<std::chrono::steady_clock::time_point> next_;
  bool elsewhere_ = false;  // true if not on the main thread
};

}  // namespace plumbline::python
