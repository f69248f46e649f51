// Threads that help with work too short to start threads for. There is one team in a process.
//
// A caller works itself, and whoever of the team is free joins in; nobody waits for a helper that has not
// come yet. While the team helps one caller, others go on alone. Helpers that find nothing to do look out
// for a few microseconds, then sleep; they end with the process. A forked child has a team of its own.
#pragma once

#include <cstddef>
#include <functional>

namespace plumbline {

// Calls `work` on this thread and at the same time on up to `threads` - 1 others, and returns when all of
// them have returned. Each call finds out for itself what there is left to do, perhaps nothing. It must
// not throw.
void run_on_workers(std::size_t threads, const std::function<void()>& work);

// How many threads `run_on_workers` should be given on the present thread: as many as the machine has
// cores, unless a limit is in scope.
std::size_t allowed_threads();

// Limits them, while it is in scope, on the thread that made it. 0 is no limit.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  std::size_t before_;
};

}  // namespace plumbline
