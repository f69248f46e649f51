#include "plumbline/threads/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "plumbline/threads/parallel_for.h"

namespace plumbline::thread_pool_test {
namespace {

// Whether a helper joins in: each of two calls waits for the other one, but not for ever.
bool two_work_at_once() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::atomic<int> at_work{0};
  run_on_workers(2, [&](std::size_t) {
    ++at_work;
    while (at_work < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return at_work == 2;
}

TEST(ThreadPool, HelpsInAForkedChildToo) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer allows no threads in a child of several threads";
#endif
  ASSERT_TRUE(two_work_at_once());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(two_work_at_once() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(two_work_at_once());
}

TEST(ThreadPool, CallersFromManyThreadsDoNotWaitForEachOther) {
  std::atomic<std::size_t> calls{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        for (int k = 0; k < 25; ++k) run_on_workers(4, [&](std::size_t) { ++calls; });
      });
    }
  }
  EXPECT_GE(calls, 200u);
}

TEST(ThreadPool, MayBeCalledFromItsOwnWork) {
  std::atomic<std::size_t> calls{0};
  run_on_workers(3, [&](std::size_t) { run_on_workers(3, [&](std::size_t) { ++calls; }); });
  EXPECT_GE(calls, 1u);
}

TEST(ThreadLimit, HoldsInItsScopeOnItsThread) {
  const std::size_t free = allowed_threads();
  EXPECT_GE(free, 1u);
  {
    const ThreadLimit outer(3);
    EXPECT_EQ(allowed_threads(), 3u);
    {
      const ThreadLimit inner(1);
      EXPECT_EQ(allowed_threads(), 1u);
    }
    EXPECT_EQ(allowed_threads(), 3u);
    std::size_t elsewhere = 0;
    std::thread([&] { elsewhere = allowed_threads(); }).join();
    EXPECT_EQ(elsewhere, free);
  }
  EXPECT_EQ(allowed_threads(), free);
}

TEST(ThreadLimit, JobsSideBySideHaveOneThreadEach) {
  std::atomic<std::size_t> most{0};
  parallel_for(4, 2, [&](std::size_t) {
    if (allowed_threads() > most) most = allowed_threads();
  });
  EXPECT_EQ(most, 1u);
  parallel_for(1, 2, [&](std::size_t) { EXPECT_GE(allowed_threads(), 1u); });
}

}  // namespace
}  // namespace plumbline::thread_pool_test
