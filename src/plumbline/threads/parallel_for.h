// Independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace plumbline::inline v0 {

// The type-erased implementation of `parallel_for`.
void run_jobs(std::size_t count, std::size_t threads,
              const std::function<void(std::size_t, std::size_t)>& job);

// Calls job(i, worker), or job(i), once for each i = 0, …, count - 1, on the calling thread and up to `threads` - 1
// others (0: one thread per core). The calls must be independent. `worker` is below `threads` and differs between
// concurrent calls, so that each worker can have its own scratch memory.
//
// The other threads belong to the pool (threads/thread_pool.h), which serves one caller at a time; if it is busy, the
// calling thread does all the work. With several threads, each call runs under a ThreadLimit of 1. The first exception
// cancels the jobs that have not started, and is rethrown to the caller.
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
