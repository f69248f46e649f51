#include "plumbline/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "plumbline/threads/thread_pool.h"

namespace plumbline::inline v0 {

void run_jobs(std::size_t count, std::size_t threads,
              const std::function<void(std::size_t, std::size_t)>& job) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, count);
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) job(i, 0);
    return;
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](std::size_t worker) {
    const ThreadLimit limit(1);  // concurrent jobs must not start further threads
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i, worker);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  run_on_workers(threads, std::ref(work));
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plumbline::inline v0
