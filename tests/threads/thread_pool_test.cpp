#include "plumbline/threads/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace plumbline {
namespace {

// Whether a helper joins in: each of two calls waits for the other one, but not for ever.
bool two_work_at_once() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::atomic<int> at_work{0};
  run_on_workers(2, [&] {
    ++at_work;
    while (at_work < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return at_work == 2;
}

TEST(ThreadPool, HelpsInAForkedChildToo) {
  ASSERT_TRUE(two_work_at_once());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(two_work_at_once() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(two_work_at_once());
}

}  // namespace
}  // namespace plumbline
