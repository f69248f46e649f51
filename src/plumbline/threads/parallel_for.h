// Independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace plumbline::inline v0 {

// Of type-erased jobs; `parallel_for` calls it.
void run_jobs(std::size_t count, std::size_t threads,
              const std::function<void(std::size_t, std::size_t)>& job);

// Calls job(i, worker), or job(i), for i = 0, …, count - 1, each once, on the calling thread and up to `threads` - 1 others (0: as
// many threads as the machine has cores). The calls must not depend on each other. `worker` is below `threads`, and
// no two calls at the same time have the same one, so that each can have scratch of its own.
//
// The others are those of the thread pool (threads/thread_pool.h), which help one caller at a time: without them, the
// calling thread does all the work. If there are to be several threads, each call has a ThreadLimit of 1. The first
// exception stops what has not begun and is thrown again here.
template <class Job>
void parallel_for(std::size_t count, std::size_t threads, const Job& job) {
  run_jobs(count, threads, [&job](std::size_t i, std::size_t worker) {
    if constexpr (std::is_invocable_v<const Job&, std::size_t, std::size_t>) {
      job(i, worker);
    } else {
      job(i);
    }
  });
}

}  // namespace plumbline::inline v0
