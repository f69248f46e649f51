#include "plumbline/learners/bank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/learner.h"
#include "plumbline/learners/simd_bank.h"
#include "plumbline/math/rng.h"
#include "tests/ensemble/serial_boost.h"
#include "tests/kernels/every_target.h"
#include "tests/support.h"

namespace plumbline::bank_test {
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

constexpr Correctness kAllTimes[] = {Correctness::after_update, Correctness::before_update,
                                     Correctness::before_batch};

OnlineBoost plain_boost(const OnlineBoost::Params& params, const Spec& learner,
                        std::size_t features) {
  return test::serial_boost(
      params, [&] { return learners().make(learner, features); }, 3);
}

OnlineBoost fast_boost(const OnlineBoost::Params& params, const Spec& learner,
                       std::size_t features) {
  auto bank = make_bank(learners(), learner, static_cast<std::size_t>(params.size), features, {});
  EXPECT_NE(dynamic_cast<SimdBank*>(bank.get()), nullptr) << learner.name;
  return {params, std::move(bank), 3};
}

// Both banks pass the same minibatches along, and agree in every bit of what they say and hold.
void expect_the_same(const OnlineBoost::Params& params, const Minibatch& data, std::size_t batch,
                     const Spec& learner) {
  OnlineBoost plain = plain_boost(params, learner, data.columns());
  OnlineBoost fast = fast_boost(params, learner, data.columns());
  for (std::size_t from = 0; from < data.rows(); from += batch) {
    const Examples examples = test::slice(data, from, std::min(data.rows(), from + batch));
    std::vector<double> scores(examples.size()), others(scores), confidence(scores);
    Margins said, said_fast;
    plain.scores(examples.x, scores, others, confidence, said);
    fast.scores(examples.x, scores, others, confidence, said_fast);
    ASSERT_TRUE(said == said_fast) << from;
    plain.train(examples);
    fast.train(examples);
    ASSERT_TRUE(save_state(plain) == save_state(fast)) << from;
  }
}

class SimdBanks : public testing::TestWithParam<const char*> {};

TEST_P(SimdBanks, AreManyLearnersToTheLastBit) {
  with_every_target([] {
    for (const Correctness correctness : kAllTimes) {
      for (const std::int64_t size : {1, 3, 10, 16, 21, 40}) {
        SCOPED_TRACE(size);
        expect_the_same({.size = size, .correctness = correctness}, mixed(400, 7), 50, GetParam());
      }
      expect_the_same({.size = 11, .correctness = correctness}, mixed(900, 3), 700, GetParam());
      expect_the_same({.size = 6, .correctness = correctness}, mixed(60, 1), 1, GetParam());
      expect_the_same({.size = 5, .correctness = correctness}, mixed(40, 1100), 20, GetParam());
    }
  });
}

TEST_P(SimdBanks, AreSoWithEveryOption) {
  with_every_target([] {
    for (const Correctness correctness : kAllTimes) {
      const auto check = [&](OnlineBoost::Params params) {
        params.size = 11;
        params.correctness = correctness;
        expect_the_same(params, mixed(300, 5), 30, GetParam());
      };
      check({.resample = R::no});
      check({.resample = R::weight, .weight_cap = 2, .prior_weight = 5});
      check({.resample = R::weight, .test_unseen = false});
      check({.resample = R::no, .test_unseen = false});
      check({.error_floor = 0.1, .weight_cap = 1e12});
    }
  });
}

TEST_P(SimdBanks, AreSoWithHugeFeatures) {
  with_every_target([] {
    expect_the_same({.size = 5}, mixed(200, 10, true), 20, GetParam());
    expect_the_same({.size = 5, .correctness = Correctness::before_batch}, mixed(700, 10, true), 20,
                    GetParam());
  });
}

// Rows that are mostly zeros, with full ones in every third minibatch.
TEST_P(SimdBanks, AreSoWithSparseRows) {
  Minibatch data(101);
  for (std::size_t i = 0; i < 600; ++i) {
    Rng rng(5, 0, i);
    const Label label = rng.uniform() < 0.5 ? 1 : 0;
    const bool full = i / 30 % 3 == 2;
    for (double& x : data.add(label)) {
      x = full || rng.uniform() < 0.05 ? rng.normal() + 0.3 * label : 0;
    }
  }
  for (const Correctness correctness : kAllTimes) {
    const OnlineBoost::Params params{.size = 11, .correctness = correctness};
    expect_the_same(params, data, 30, GetParam());
    expect_the_same(
        {.size = 11, .resample = R::weight, .correctness = correctness, .test_unseen = false}, data,
        30, GetParam());
  }
}

TEST_P(SimdBanks, GrowAndLoadAsLearnersDo) {
  const Minibatch narrow = mixed(100, 3), wide = mixed(100, 8);
  OnlineBoost fast = fast_boost({.size = 18}, GetParam(), 3);
  OnlineBoost plain = plain_boost({.size = 18}, GetParam(), 3);
  for (OnlineBoost* one : {&fast, &plain}) {
    one->train(narrow.examples());
    one->grow(8);
    one->train(wide.examples());
  }
  EXPECT_TRUE(save_state(fast) == save_state(plain));

  OnlineBoost loaded = fast_boost({.size = 18}, GetParam(), 8);
  load_state(loaded, save_state(plain));
  loaded.train(wide.examples());
  plain.train(wide.examples());
  EXPECT_TRUE(save_state(loaded) == save_state(plain));
}

INSTANTIATE_TEST_SUITE_P(
    All, SimdBanks,
    testing::Values("gaussian_nb", "gaussian_nb:variance_floor=0.25",
                    "gaussian_nb:relative_floor=0.01",
                    "gaussian_nb:variance_floor=0.25,relative_floor=0.5", "logistic",
                    "logistic:penalty=none,learning_rate=constant,eta0=0.1",
                    "logistic:alpha=0.5,learning_rate=constant,eta0=1.5",  // scales become small
                    "logistic:alpha=1,learning_rate=constant,eta0=3",      // and 0
                    "logistic:penalty=l1,alpha=0.01", "linear_svm", "perceptron",
                    "linear_svm:penalty=l1,alpha=0.1,l1_memory=false"));

// Every learner is always right: each halves the weight. Both banks keep it at 1e-100, and agree.
void expect_the_floor(const OnlineBoost::Params& params, const Spec& learner) {
  constexpr std::size_t kRows = 45;  // more than 20 minibatches of 2, so that before_batch begins
  Minibatch data(1);
  for (std::size_t i = 0; i < kRows; ++i) data.add(0)[0] = Rng(7, 0, i).uniform();
  OnlineBoost plain = plain_boost(params, learner, 1), fast = fast_boost(params, learner, 1);
  for (std::size_t from = 0; from < kRows; from += 2) {
    const Examples examples = test::slice(data, from, std::min(kRows, from + 2));
    plain.train(examples);
    fast.train(examples);
  }
  const Tensors state = save_state(fast);
  EXPECT_TRUE(state == save_state(plain));
  for (const Tensor& tensor : state) {
    if (tensor.type != TensorType::f64) continue;
    for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(double)) {
      double value = 0;
      std::memcpy(&value, &tensor.bytes[at], sizeof value);
      ASSERT_TRUE(value == 0 || std::isnormal(value)) << tensor.name << ' ' << value;
    }
  }
  for (const OnlineBoost::LearnerView& one : fast.view()) ASSERT_EQ(one.wrong_weight, 0);
  // But for the rounding of a sum of so many.
  EXPECT_NEAR(fast.view().back().correct_weight, kRows * 1e-100, kRows * 1e-100 * kRows * 0x1p-52);
}

// Halved 333 times, a weight is below 1e-100; 1023 times, and it is no normal number any more.
TEST(Bank, KeepsWeightsNormalAlongAChainOfLearnersThatNeverErr) {
  with_every_target([] {
    for (const char* learner : {"gaussian_nb", "logistic"}) {
      for (const Correctness correctness : kAllTimes) {
        for (const R resample : {R::no, R::weight}) {
          SCOPED_TRACE(learner);
          expect_the_floor({.size = 1100, .resample = resample, .correctness = correctness},
                           learner);
        }
      }
    }
  });
}

// Weights of wrong examples grow without bound: means of Poisson draws beyond those by inversion.
TEST(GaussianNbBank, DrawsLargeCounts) {
  Minibatch data = mixed(600, 2);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.row(i)[0] = data.examples().y[i] + (i % 97 == 0 ? 1 : 0);  // seldom wrong
  }
  with_every_target([&] { expect_the_same({.size = 30}, data, 60, "gaussian_nb"); });
}

TEST(Bank, IsTheFastOneWhereThereIsOne) {
  const auto is_fast = [](const Spec& learner, const BankUse& use) {
    return dynamic_cast<SimdBank*>(make_bank(learners(), learner, 2, 3, use).get()) != nullptr;
  };
  const BankUse whole{.whole_minibatches = true}, repetitions{.repetitions = true};
  EXPECT_TRUE(is_fast("gaussian_nb", {}));
  EXPECT_TRUE(is_fast("gaussian_nb", repetitions));
  EXPECT_FALSE(is_fast("gaussian_nb", whole));
  EXPECT_TRUE(is_fast("logistic", {}));
  EXPECT_FALSE(is_fast("logistic", repetitions));
  EXPECT_FALSE(is_fast("logistic", whole));
  EXPECT_FALSE(is_fast("logistic_adaptive", {}));
}

}  // namespace
}  // namespace plumbline::bank_test
