#include "plumbline/math/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "plumbline/math/portable_math.h"
#include "tests/support.h"

namespace plumbline::rng_test {
namespace {

// The known-answer vectors published with Random123 (Salmon et al. 2011).
TEST(Rng, PhiloxEqualsThePublishedVectors) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, IsAPureFunctionOfSeedStreamAndIndex) {
  Rng a(7, 3, 12345678901), b(7, 3, 12345678901);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Rng, OtherSeedsStreamsAndIndicesGiveOtherNumbers) {
  const std::uint64_t base = Rng(1, 2, 3).bits();
  EXPECT_NE(Rng(2, 2, 3).bits(), base);
  EXPECT_NE(Rng(1ull << 32 | 1, 2, 3).bits(), base);
  EXPECT_NE(Rng(1, 3, 3).bits(), base);
  EXPECT_NE(Rng(1, 2, 4).bits(), base);
  EXPECT_NE(Rng(1, 2, 1ull << 32 | 3).bits(), base);
}

// Seed, stream and index are the key and the counter; the block's number counts from 0. The words of
// a block are taken in order, the first of each pair as the low half.
TEST(Rng, BitsAreTheBlocksOfPhiloxInOrder) {
  Rng rng(0xaaaabbbbccccdddd, 7, 0x1111222233334444);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const auto words = philox4x32({block, 7, 0x33334444, 0x11112222}, {0xccccdddd, 0xaaaabbbb});
    EXPECT_EQ(rng.bits(), std::uint64_t{words[1]} << 32 | words[0]);
    EXPECT_EQ(rng.bits(), std::uint64_t{words[3]} << 32 | words[2]);
  }
}

TEST(Rng, UniformHasTheMomentsOfTheUniformDistribution) {
  constexpr int kDraws = 200000;
  Rng rng(1, 0, 0);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  // Five standard errors of the two sample means.
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kDraws));
}

TEST(Rng, NormalHasTheMomentsOfTheNormalDistribution) {
  constexpr int kDraws = 200000;
  Rng rng(1, 0, 0);
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = rng.normal();
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  // Five standard errors: the variances of z, z^2 and z^4 are 1, 2 and 96.
  EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(fourth / kDraws, 3, 5 * std::sqrt(96.0 / kDraws));
}

TEST(Rng, BelowIsUniformAlsoForCountsThatDoNotDivideTwoTo64) {
  constexpr int kDraws = 60000;
  std::array<int, 6> count{};
  Rng rng(3, 0, 0);
  for (int i = 0; i < kDraws; ++i) ++count[rng.below(6)];
  double chi_square = 0;
  for (const int c : count) chi_square += std::pow(c - kDraws / 6.0, 2) / (kDraws / 6.0);
  EXPECT_LT(chi_square, 25.7);  // 99.99 % quantile for 5 degrees of freedom
  EXPECT_EQ(rng.below(1), 0u);
}

// 3 * 2^62 values out of 2^64: a remainder alone would find half of the draws in the first third.
TEST(Rng, BelowIsUniformForCountsNotFarFromTwoTo64) {
  constexpr int kDraws = 10000;
  Rng rng(3, 0, 0);
  int first_third = 0;
  for (int i = 0; i < kDraws; ++i) first_third += rng.below(3ull << 62) < 1ull << 62 ? 1 : 0;
  // Five standard errors of a share of 1/3.
  EXPECT_NEAR(first_third / double{kDraws}, 1.0 / 3, 5 * std::sqrt(2.0 / 9 / kDraws));
}

// Chi-square against the exact probabilities, over both methods and their border at 10.
class PoissonTest : public ::testing::TestWithParam<double> {};

TEST_P(PoissonTest, FitsTheExactDistribution) {
  const double lambda = GetParam();
  constexpr int kDraws = 100000;
  std::map<std::uint64_t, int> count;
  for (int i = 0; i < kDraws; ++i)
    ++count[Rng(11, 0, static_cast<std::uint64_t>(i)).poisson(lambda)];

  double chi_square = 0, degrees = -1, expected = 0, observed = 0;
  const auto close_bin = [&] {
    chi_square += (observed - expected) * (observed - expected) / expected;
    degrees += 1;
    expected = observed = 0;
  };
  const auto last = static_cast<std::uint64_t>(lambda + 12 * std::sqrt(lambda) + 12);
  for (std::uint64_t k = 0; k <= last; ++k) {
    const auto x = static_cast<double>(k);
    expected += kDraws * std::exp(x * std::log(lambda) - lambda - std::lgamma(x + 1));
    observed += count.contains(k) ? count[k] : 0;
    if (expected >= 20) close_bin();
  }
  // Wilson-Hilferty: the cube root of chi-square/degrees is nearly normal; 4 standard deviations.
  const double cube = std::cbrt(chi_square / degrees);
  EXPECT_LT((cube - (1 - 2 / (9 * degrees))) / std::sqrt(2 / (9 * degrees)), 4) << chi_square;
  EXPECT_GT(degrees, 1);
}

INSTANTIATE_TEST_SUITE_P(Means, PoissonTest,
                         ::testing::Values(0.05, 0.5, 1.0, 3.7, 9.99, 10.0, 35.0, 99.0, 1234.5));

TEST(Rng, PoissonOfZeroIsZeroAndOfAMillionIsNearAMillion) {
  EXPECT_EQ(Rng(1, 0, 0).poisson(0), 0u);
  double sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) sum += static_cast<double>(Rng(1, 0, i).poisson(1e6));
  EXPECT_NEAR(sum / 1000, 1e6, 5 * std::sqrt(1e6 / 1000));  // five standard errors
}

// u in [0, 1) is below e^-mean with that probability; u = e^-mean is not below it.
TEST(Rng, APoissonDrawOnTheBorderIsTheLargerCount) {
  int borders = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Rng rng(1, 0, i);
    const double mean = test::border_mean(rng);
    if (portable_exp(-mean) != Rng(rng).uniform()) continue;
    ++borders;
    EXPECT_EQ(Rng(rng).poisson(mean), 1u);
    EXPECT_EQ(Rng(rng).poisson(mean - 1e-14), 0u);
  }
  EXPECT_GT(borders, 30);
}

TEST(Rng, ShuffleIsAPermutationAndMovesEveryItemEverywhere) {
  std::array<std::array<int, 4>, 4> seen{};
  for (std::uint64_t i = 0; i < 400; ++i) {
    std::vector<std::size_t> items(4);
    std::iota(items.begin(), items.end(), 0);
    Rng rng(5, kShuffleStream, i);
    shuffle(items, rng);
    for (std::size_t at = 0; at < 4; ++at) ++seen[at][items[at]];
  }
  for (const auto& row : seen) {
    EXPECT_EQ(std::accumulate(row.begin(), row.end(), 0), 400);
    for (const int count : row) EXPECT_NEAR(count, 100, 5 * std::sqrt(400 * 0.25 * 0.75));
  }
}

}  // namespace
}  // namespace plumbline::rng_test
