#include "plumbline/threads/wavefront.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "plumbline/threads/parallel_for.h"
#include "plumbline/threads/thread_pool.h"

namespace plumbline {
namespace {

// Each job must find what the jobs before it have left, and finds it only then.
void expect_order(std::size_t threads, std::size_t stages, std::size_t items) {
  std::vector<std::size_t> stage_of(items, 0),
      item_of(stages, 0);  // not atomic: the order protects
  std::atomic<std::size_t> wrong{0}, jobs{0};
  run_wavefront(threads, stages, items, [&](std::size_t stage, std::size_t item) {
    wrong += stage_of[item]++ != stage ? 1 : 0;
    wrong += item_of[stage]++ != item ? 1 : 0;
    ++jobs;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(jobs, stages * items);
}

TEST(Wavefront, TakesItemsInOrderAndStagesInOrder) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    for (const std::size_t stages : {1u, 2u, 5u, 64u, 150u}) {
      for (const std::size_t items : {0u, 1u, 2u, 40u}) expect_order(threads, stages, items);
    }
  }
}

TEST(Wavefront, WorksOnSeveralThreadsAtOnce) {
  // Stage 1 of item 0 waits until stage 0 of item 1 has begun, which only another thread can do.
  std::atomic<bool> begun{false};
  for (int tries = 0; tries < 100 && !begun; ++tries) {
    run_wavefront(2, 2, 2, [&](std::size_t stage, std::size_t item) {
      if (stage == 0 && item == 1) begun = true;
      // A helper may come too late for one run_wavefront, but not for a hundred.
      for (int i = 0; stage == 1 && item == 0 && !begun && i < 1000; ++i) std::this_thread::yield();
    });
  }
  EXPECT_TRUE(begun);
}

TEST(ThreadPool, CallersFromManyThreadsDoNotWaitForEachOther) {
  std::atomic<std::size_t> calls{0};
  parallel_for(200, 8, [&](std::size_t) { run_on_workers(4, [&] { ++calls; }); });
  EXPECT_GE(calls, 200u);
  EXPECT_LE(calls, 800u);
}

TEST(ThreadPool, MayBeCalledFromItsOwnWork) {
  std::atomic<std::size_t> calls{0};
  run_on_workers(3, [&] { run_on_workers(3, [&] { ++calls; }); });
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
}  // namespace plumbline
