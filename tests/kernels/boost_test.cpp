#include "plumbline/kernels/boost.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "plumbline/math/rng.h"
#include "tests/kernels/every_target.h"
#include "tests/support.h"

namespace plumbline::boost_test {
namespace {

constexpr std::uint64_t kSeed = 3, kFirst = 1000;
constexpr std::uint32_t kStream = kLearnerStream + 8;

// How often the first learner of a block takes examples of these weights.
std::vector<double> counts(std::vector<double> means) {
  Minibatch batch(1);
  for (std::size_t i = 0; i < means.size(); ++i) batch.add(0)[0] = 0;
  kernels::Columns columns;
  columns.assign(batch.examples(), false);
  alignas(64) std::array<double, kernels::kBlock> right{}, wrong{};
  std::vector<double> margins(means.size()), weights(means.size() * kernels::kBlock), result;
  const kernels::Pass pass{.examples = &columns,
                           .first = kFirst,
                           .stream = kStream,
                           .learners = 1,
                           .lambda = means.data(),
                           .correct = right.data(),
                           .wrong = wrong.data(),
                           .rule = {.resample = true,
                                    .test_unseen = true,
                                    .error_floor = 1e-10,
                                    .weight_cap = 1e6,
                                    .prior_weight = 0,
                                    .seed = kSeed}};
  kernels::boost_precomputed(pass, margins.data(), margins.size(), weights.data());
  for (std::size_t i = 0; i < margins.size(); ++i) {
    result.push_back(weights[i * kernels::kBlock + kernels::lane_of(0)]);
  }
  return result;
}

Rng rng_of(std::size_t example) { return {kSeed, kStream, kFirst + example}; }

void expect_the_draws_of_rng(const std::vector<double>& means) {
  test::with_every_target([&] {
    const std::vector<double> drawn = counts(means);
    for (std::size_t i = 0; i < means.size(); ++i) {
      EXPECT_EQ(drawn[i], static_cast<double>(rng_of(i).poisson(means[i]))) << means[i];
    }
  });
}

// Eight learners that are always right halve a weight eight times, if there is room: 256e-100 can just
// be halved so often. With as many rows as these the kernel takes two vectors at a time where it can.
TEST(Boost, AWeightStopsFallingAt1e100) {
  const std::vector<double> begun{1e-100,   1.5e-100, 2e-100, 100e-100, 255e-100,
                                  257e-100, 1e-97,    1e-50,  1,        10};
  const kernels::BoostRule rule{.resample = false,
                                .test_unseen = true,
                                .error_floor = 1e-10,
                                .weight_cap = 1e6,
                                .prior_weight = 0,
                                .seed = kSeed};
  Minibatch batch(1);
  for (std::size_t i = 0; i < begun.size(); ++i) batch.add(0)[0] = 0;
  kernels::Columns columns;
  columns.assign(batch.examples(), false);
  const std::vector<double> negative(begun.size() * kernels::kBlock, -1.0);  // margins

  // Learner by learner, with the rule for one.
  std::vector<double> expected = begun;
  std::array<double, kernels::kBlock> expected_right{};
  for (double& right : expected_right) {
    for (double& lambda : expected) {
      right += lambda;
      lambda = rule.passed_on(lambda, true, rule.error(right, 0));
    }
  }
  for (std::size_t i = 0; i < begun.size(); ++i) {
    EXPECT_EQ(expected[i] == 1e-100, begun[i] < 256e-100) << begun[i];
  }

  test::with_every_target([&] {
    std::vector<double> lambda = begun, weights(begun.size() * kernels::kBlock);
    alignas(64) std::array<double, kernels::kBlock> right{}, wrong{};
    kernels::boost_precomputed({.examples = &columns,
                                .first = kFirst,
                                .stream = kStream,
                                .learners = kernels::kBlock,
                                .lambda = lambda.data(),
                                .correct = right.data(),
                                .wrong = wrong.data(),
                                .rule = rule},
                               negative.data(), begun.size(), weights.data());
    EXPECT_EQ(lambda, expected);
    for (std::size_t r = 0; r < kernels::kBlock; ++r) {
      EXPECT_EQ(right[kernels::lane_of(r)], expected_right[r]) << r;
    }
    EXPECT_EQ(wrong, (std::array<double, kernels::kBlock>{}));
  });
}

TEST(Boost, DrawsWhatRngDraws) {
  std::vector<double> means;
  for (double mean = 1e-3; mean < 1e4; mean *= 1.01) means.push_back(mean);
  for (double mean = 9.5; mean < 12.5; mean += 0.01) means.push_back(mean);
  expect_the_draws_of_rng(means);
}

TEST(Boost, DrawsWhatRngDrawsOnTheBorder) {
  std::vector<double> means;
  for (std::size_t i = 0; i < 100; ++i) means.push_back(test::border_mean(rng_of(i)));
  expect_the_draws_of_rng(means);
}

}  // namespace
}  // namespace plumbline::boost_test
