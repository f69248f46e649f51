#include "plumbline/threads/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>

#include <pthread.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumbline::inline v0 {
namespace {

// Number of polls before a thread yields, and of yields before it sleeps: about 10 and 50 microseconds. Waking a
// thread takes about as long, and minibatches of a stream arrive faster (bench/threads).
constexpr int kPauses = 400, kYields = 100;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Waits until the value differs from `old` and returns it: polls for some time, then sleeps.
std::uint32_t await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < kPauses + kYields; ++i) {
    const std::uint32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    i < kPauses ? pause() : std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

class ThreadPool {
 public:
  void work(std::size_t threads, const std::function<void(std::size_t)>& work) {
    if (busy_.exchange(true, std::memory_order_acquire)) return work(0);
    while (workers_ + 1 < threads && start_worker()) ++workers_;
    work_ = &work;
    wanted_ = threads - 1;
    inside_.store(0, std::memory_order_release);  // opens
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work(0);
    // Workers that have not entered by now are shut out.
    std::uint32_t inside = inside_.fetch_or(kClosed, std::memory_order_acq_rel) | kClosed;
    while (inside != kClosed) inside = await_change(inside_, inside);
    busy_.store(false, std::memory_order_release);
  }

 private:
  static constexpr std::uint32_t kClosed = 1u << 31;

  // Returns false if the system refuses another thread; the existing ones then do the work.
  bool start_worker() {
    try {
      std::thread([this, number = workers_ + 1] { serve(number); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void serve(std::size_t number) {
    for (std::uint32_t seen = 0;;) {
      seen = await_change(round_, seen);
      if (!enter()) continue;
      if (number <= wanted_) (*work_)(number);
      inside_.fetch_sub(1, std::memory_order_acq_rel);
      inside_.notify_one();
    }
  }

  bool enter() {
    std::uint32_t before = inside_.load(std::memory_order_acquire);
    while ((before & kClosed) == 0) {
      if (inside_.compare_exchange_weak(before, before + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }

  std::atomic<bool> busy_{false};  // serving a caller
  std::size_t workers_ = 0;
  // The work of the current round: written before the round opens, read by the workers inside.
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t wanted_ = 0;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::uint32_t> inside_{
      kClosed};  // number of workers inside; if closed, none may enter
};

std::atomic<ThreadPool*> pool_of_process{nullptr};

// Never destroyed: its threads end with the process. A forked child starts with a new pool, because the workers of
// its parent do not exist there and its copy of the parent's pool may be in any state.
ThreadPool& pool() {
  static const int made = [] {
    pool_of_process = new ThreadPool;
    return ::pthread_atfork(nullptr, nullptr, [] { pool_of_process = new ThreadPool; });
  }();
  static_cast<void>(made);
  return *pool_of_process;
}

thread_local std::size_t limit = 0;

}  // namespace

void run_on_workers(std::size_t threads, const std::function<void(std::size_t)>& work) {
  threads <= 1 ? work(0) : pool().work(threads, work);
}

std::size_t allowed_threads() {
  static const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return limit == 0 ? cores : limit;
}

ThreadLimit::ThreadLimit(std::size_t threads) : before_(limit) { limit = threads; }
ThreadLimit::~ThreadLimit() { limit = before_; }

}  // namespace plumbline::inline v0
