#include "plumbline/threads/parallel_for.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace plumbline::parallel_for_test {
namespace {

TEST(Parallel, RunsEveryJobOnce) {
  for (const std::size_t threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> done(100);
    parallel_for(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

// Each of the two jobs waits for the other to begin, which one thread alone could never see; the
// deadline only ends a test that has failed.
TEST(Parallel, RunsJobsAtTheSameTime) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  std::atomic<int> begun{0}, met{0};
  parallel_for(2, 2, [&](std::size_t) {
    ++begun;
    while (begun < 2 && Clock::now() < deadline) std::this_thread::yield();
    if (begun == 2) ++met;
  });
  EXPECT_EQ(met, 2);
}

// Each worker counts in a place of its own, which is not atomic.
TEST(Parallel, NoTwoJobsAtTheSameTimeHaveTheSameWorker) {
  for (int tries = 0; tries < 100; ++tries) {
    std::array<std::size_t, 3> done{};
    parallel_for(300, done.size(), [&](std::size_t, std::size_t worker) { ++done.at(worker); });
    EXPECT_EQ(done[0] + done[1] + done[2], 300u);
  }
}

TEST(Parallel, InsideAJobWorksToo) {
  std::atomic<int> done{0};
  parallel_for(4, 2, [&](std::size_t) { parallel_for(3, 2, [&](std::size_t) { ++done; }); });
  EXPECT_EQ(done, 12);
}

TEST(Parallel, OfNothingDoesNothing) {
  parallel_for(0, 2, [](std::size_t) { FAIL(); });
}

TEST(Parallel, ThrowsWhatAJobThrewAndStopsEarly) {
  // How far other threads get before they notice is up to the machine; a single one notices at once.
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<int> begun{0};
    EXPECT_THROW(parallel_for(1000, threads,
                              [&](std::size_t i) {
                                ++begun;
                                if (i == 3) throw std::runtime_error("no");
                              }),
                 std::runtime_error);
    if (threads == 1) {
      EXPECT_EQ(begun, 4);
    }
  }
}

// By a thread of the pool, not by the caller; the pool works on after it.
TEST(Parallel, ThrowsWhatAHelperThrew) {
  for (int tries = 0; tries < 3; ++tries) {
    std::atomic<bool> thrown{false};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    EXPECT_THROW(parallel_for(2, 2,
                              [&](std::size_t, std::size_t worker) {
                                if (worker == 0) {
                                  while (!thrown && std::chrono::steady_clock::now() < deadline) {
                                    std::this_thread::yield();
                                  }
                                  return;
                                }
                                thrown = true;
                                throw std::runtime_error("no");
                              }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace plumbline::parallel_for_test
