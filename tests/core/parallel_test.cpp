#include "plumbline/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
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

TEST(Parallel, OfNothingDoesNothing) {
  parallel_for(0, 2, [](std::size_t) { FAIL(); });
}

TEST(Parallel, ThrowsWhatAJobThrewAndStopsEarly) {
  std::atomic<int> begun{0};
  EXPECT_THROW(parallel_for(100000, 2,
                            [&](std::size_t i) {
                              ++begun;
                              if (i == 3) throw std::runtime_error("no");
                            }),
               std::runtime_error);
  EXPECT_LT(begun, 100000);
}

}  // namespace
}  // namespace plumbline
