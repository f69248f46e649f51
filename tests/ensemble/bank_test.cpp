#include "plumbline/ensemble/bank.h"

#include <gtest/gtest.h>

#include "plumbline/core/rng.h"
#include "plumbline/ensemble/gaussian_nb_bank.h"
#include "plumbline/ensemble/learner_bank.h"
#include "plumbline/ensemble/online_boost.h"
#include "tests/kernels/every_target.h"
#include "tests/support.h"

namespace plumbline {
namespace {

using test::with_every_target;
using R = OnlineBoost::Resample;

// Features of all sizes: one constant, one mostly 0, and one far off when `huge`.
Minibatch mixed(std::size_t rows, std::size_t features, bool huge = false) {
  Minibatch batch(features);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(7, 0, i);
    const Label label = i > 5 && rng.uniform() < 0.4 ? 1 : 0;  // one class alone at first
    const std::span<double> row = batch.add(label);
    for (std::size_t j = 0; j < features; ++j) {
      row[j] = rng.normal() + 0.5 * label;
      if (j % 5 == 1) row[j] = 3;
      if (j % 5 == 2) row[j] = rng.uniform() < 0.9 ? 0 : 1;
      if (j % 5 == 3) row[j] *= 1e6;
      if (j % 5 == 4 && huge) row[j] *= 1e149;
    }
  }
  return batch;
}

// Both banks pass the same minibatches along, and agree in every bit of what they say and hold.
void expect_the_same(const OnlineBoost::Params& params, const Minibatch& data, std::size_t batch,
                     const GaussianNb::Params& nb = {}) {
  const std::size_t features = data.columns(), size = static_cast<std::size_t>(params.size);
  OnlineBoost plain(
      params, [&] { return std::make_unique<GaussianNb>(nb, features); }, 3);
  OnlineBoost fast(params, std::make_unique<GaussianNbBank>(nb, size, features), 3);
  for (std::size_t from = 0; from < data.rows(); from += batch) {
    const Examples examples = test::slice(data, from, std::min(data.rows(), from + batch));
    std::vector<double> scores(examples.size()), others(scores), sureness(scores);
    Margins said, said_fast;
    plain.scores(examples.x, scores, others, sureness, said);
    fast.scores(examples.x, scores, others, sureness, said_fast);
    ASSERT_TRUE(said == said_fast) << from;
    plain.train(examples);
    fast.train(examples);
    ASSERT_TRUE(save_state(plain) == save_state(fast)) << from;
  }
}

TEST(GaussianNbBank, IsManyLearnersToTheLastBit) {
  with_every_target([] {
    for (const Correctness correctness :
         {Correctness::after_update, Correctness::before_update, Correctness::before_batch}) {
      for (const std::int64_t size : {1, 3, 10, 16, 21, 40}) {
        SCOPED_TRACE(size);
        expect_the_same({.size = size, .correctness = correctness}, mixed(400, 7), 50);
      }
      expect_the_same({.size = 6, .correctness = correctness}, mixed(900, 3), 700);
      expect_the_same({.size = 6, .correctness = correctness}, mixed(60, 1), 1);
      expect_the_same({.size = 5, .correctness = correctness}, mixed(40, 1100), 20);
    }
  });
}

TEST(GaussianNbBank, IsSoWithEveryOption) {
  with_every_target([] {
    for (const Correctness correctness :
         {Correctness::after_update, Correctness::before_update, Correctness::before_batch}) {
      const auto check = [&](OnlineBoost::Params params) {
        params.size = 11;
        params.correctness = correctness;
        expect_the_same(params, mixed(300, 5), 30);
      };
      check({.resample = R::no});
      check({.resample = R::weight, .weight_cap = 2, .prior_weight = 5});
      check({.test_unseen = false});
      check({.resample = R::no, .test_unseen = false});
      check({.error_floor = 0.1, .weight_cap = 1e12});
    }
    for (const Correctness correctness :
         {Correctness::after_update, Correctness::before_update, Correctness::before_batch}) {
      const OnlineBoost::Params params{.size = 11, .correctness = correctness};
      expect_the_same(params, mixed(300, 5), 30, {.variance_floor = 0.25});
      expect_the_same(params, mixed(300, 5), 30, {.relative_floor = 0.01});
      expect_the_same(params, mixed(900, 5), 10, {.variance_floor = 0.25, .relative_floor = 0.5});
      expect_the_same(params, mixed(40, 1100), 20, {.relative_floor = 0.01});
    }
  });
}

// Weights of wrong examples grow without bound: means of Poisson draws beyond those by inversion.
TEST(GaussianNbBank, DrawsLargeCounts) {
  Minibatch data = mixed(600, 2);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.row(i)[0] = data.examples().y[i] + (i % 97 == 0 ? 1 : 0);  // seldom wrong
  }
  with_every_target([&] { expect_the_same({.size = 30}, data, 60); });
}

TEST(GaussianNbBank, KeepsDistancesFinite) {
  with_every_target([] {
    expect_the_same({.size = 5}, mixed(200, 10, true), 20);
    expect_the_same({.size = 5}, mixed(200, 10, true), 20, {.relative_floor = 0.01});
    expect_the_same({.size = 5, .correctness = Correctness::before_batch}, mixed(700, 10, true),
                    20);
  });
}

TEST(GaussianNbBank, GrowsAndLoadsAsLearnersDo) {
  const Minibatch narrow = mixed(100, 3), wide = mixed(100, 8);
  OnlineBoost fast({.size = 18}, std::make_unique<GaussianNbBank>(GaussianNb::Params{}, 18, 3), 1);
  OnlineBoost plain(
      {.size = 18}, [] { return std::make_unique<GaussianNb>(GaussianNb::Params{}, 3); }, 1);
  for (OnlineBoost* one : {&fast, &plain}) {
    one->train(narrow.examples());
    one->grow(8);
    one->train(wide.examples());
  }
  EXPECT_TRUE(save_state(fast) == save_state(plain));

  OnlineBoost loaded({.size = 18}, std::make_unique<GaussianNbBank>(GaussianNb::Params{}, 18, 8),
                     1);
  load_state(loaded, save_state(plain));
  loaded.train(wide.examples());
  plain.train(wide.examples());
  EXPECT_TRUE(save_state(loaded) == save_state(plain));
}

TEST(Bank, IsTheFastOneWhereThereIsOne) {
  const auto is_fast = [](const Spec& learner, bool whole) {
    return dynamic_cast<GaussianNbBank*>(make_bank(learner, 2, 3, whole).get()) != nullptr;
  };
  EXPECT_TRUE(is_fast("gaussian_nb", false));
  EXPECT_FALSE(is_fast("gaussian_nb", true));
  EXPECT_TRUE(is_fast("gaussian_nb:relative_floor=0.1", false));
  EXPECT_FALSE(is_fast("logistic", false));
}

}  // namespace
}  // namespace plumbline
