#include "plumbline/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "plumbline/threads/thread_pool.h"

namespace plumbline::inline v0 {

void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& job) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, count);

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    // Jobs side by side need no further threads.
    const ThreadLimit limit(threads > 1 ? 1 : allowed_threads());
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // The system allows no further thread: those that there are do all jobs.
  }
  work();
  others.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plumbline::inline v0
