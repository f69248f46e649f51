#include "plumbline/threads/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>

#include <pthread.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumbline {
namespace {

// Looks at what is awaited before a thread yields, and before a helper sleeps: some 10 microseconds.
constexpr int kPauses = 400;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Tells the processor, and if that was often, the system, that this thread waits for another.
class SpinWait {
 public:
  void wait() { ++waits_ < kPauses ? pause() : std::this_thread::yield(); }

 private:
  int waits_ = 0;
};

class ThreadPool {
 public:
  void work(std::size_t threads, const std::function<void()>& work) {
    const std::unique_lock turn(turn_, std::try_to_lock);
    if (!turn || threads <= 1) return work();
    while (helpers_ + 1 < threads && start_helper()) ++helpers_;
    work_ = &work;
    wanted_ = threads - 1;
    inside_.store(0, std::memory_order_release);  // opens
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work();
    // Who has not entered by now stays outside.
    inside_.fetch_or(kClosed, std::memory_order_acq_rel);
    for (SpinWait patience; inside_.load(std::memory_order_acquire) != kClosed;) patience.wait();
  }

 private:
  static constexpr std::uint32_t kClosed = 1u << 31;

  // False if the system allows no further thread: the work is done by those that there are.
  bool start_helper() {
    try {
      std::thread([this, number = helpers_] { help(number); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void help(std::size_t number) {
    for (std::uint32_t seen = 0;;) {
      for (int i = 0; i < kPauses && round_.load(std::memory_order_acquire) == seen; ++i) pause();
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (!enter()) continue;
      if (number < wanted_) (*work_)();
      inside_.fetch_sub(1, std::memory_order_acq_rel);
    }
  }

  bool enter() {
    std::uint32_t before = inside_.load(std::memory_order_acquire);
    while ((before & kClosed) == 0) {
      if (inside_.compare_exchange_weak(before, before + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }

  std::mutex turn_;
  std::size_t helpers_ = 0;
  // Of the round: written before it opens, read by those inside.
  const std::function<void()>* work_ = nullptr;
  std::size_t wanted_ = 0;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::uint32_t> inside_{kClosed};  // helpers, and whether nobody else may enter
};

std::atomic<ThreadPool*> team_of_process{nullptr};

// Never destroyed: its threads end with the process. A forked child begins with a new team: the helpers of its
// parent do not exist there, and its copy of the parent's team may be in any state.
ThreadPool& team() {
  static const int made = [] {
    team_of_process = new ThreadPool;
    return ::pthread_atfork(nullptr, nullptr, [] { team_of_process = new ThreadPool; });
  }();
  static_cast<void>(made);
  return *team_of_process;
}

thread_local std::size_t limit = 0;

}  // namespace

void run_on_workers(std::size_t threads, const std::function<void()>& work) {
  threads <= 1 ? work() : team().work(threads, work);
}

std::size_t allowed_threads() {
  static const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return limit == 0 ? cores : limit;
}

ThreadLimit::ThreadLimit(std::size_t threads) : before_(limit) { limit = threads; }
ThreadLimit::~ThreadLimit() { limit = before_; }

}  // namespace plumbline
