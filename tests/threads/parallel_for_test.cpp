#include "plumbline/threads/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace plumbline {
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

}  // namespace
}  // namespace plumbline
