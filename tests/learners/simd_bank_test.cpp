// Minibatches that pass the blocks of learners on several threads (run under ThreadSanitizer by ./check).
#include "plumbline/learners/simd_bank.h"

#include <gtest/gtest.h>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/math/rng.h"
#include "plumbline/threads/thread_pool.h"
#include "tests/support.h"

namespace plumbline {
namespace {

TEST(SimdBank, GivesTheSameBitsOnAnyNumberOfThreads) {
  Minibatch data(60);
  for (std::size_t i = 0; i < 3000; ++i) {
    Rng rng(7, 0, i);
    const Label label = rng.uniform() < 0.4 ? 1 : 0;
    for (double& x : data.add(label)) x = rng.normal() + 0.5 * label;
  }
  for (const Spec& learner : {Spec("gaussian_nb"), Spec("logistic"), Spec("logistic:penalty=l1")}) {
    for (const Correctness correctness :
         {Correctness::after_update, Correctness::before_update, Correctness::before_batch}) {
      const OnlineBoost::Params params{.size = 30, .correctness = correctness};
      const auto after = [&](std::size_t threads) {
        const ThreadLimit limit(threads);
        OnlineBoost boost(params, make_bank(learners(), learner, 30, data.columns(), {}), 3);
        std::size_t from = 0;
        for (const std::size_t rows : {1000u, 100u, 37u, 1863u}) {
          boost.train(test::slice(data, from, from + rows));
          from += rows;
        }
        return save_state(boost);
      };
      const Tensors alone = after(1);
      for (const std::size_t threads : {2u, 3u, 7u})
        EXPECT_TRUE(after(threads) == alone) << threads;
    }
  }
}

}  // namespace
}  // namespace plumbline
