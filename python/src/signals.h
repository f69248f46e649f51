// Signals within a long call that has released Python's lock: Ctrl-C ends it, other handlers run in its midst.
#pragma once

#include <chrono>
#include <optional>

namespace plumbline::python {

class Signals {
 public:
  static constexpr std::chrono::milliseconds kPeriod{50};

  // Whether it is time to look for signals: once in a period, the first time after a whole one. Never on a
  // thread other than Python's main thread, which alone runs handlers.
  bool due();
  // Runs the handlers of pending signals. Throws their exception as nanobind's python_error. Call it only if
  // due: it takes Python's lock.
  void handle();

 private:
  std::optional<std::chrono::steady_clock::time_point> next_;
  bool elsewhere_ = false;  // not on the main thread
};

}  // namespace plumbline::python
