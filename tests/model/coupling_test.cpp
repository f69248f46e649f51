#include "plumbline/model/coupling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "plumbline/math/rng.h"

namespace plumbline::coupling_test {
namespace {

// Rounding of a sum of some dozens of terms.
constexpr double kRounding = 1e-13;

std::vector<double> couple(const std::vector<double>& second, std::size_t classes) {
  std::vector<double> p(classes);
  PairCoupling couple_pairs;
  couple_pairs(second, p);
  return p;
}

// r_ij = p_i/(p_i + p_j), as the list that the coupling takes.
std::vector<double> pairs_of(const std::vector<double>& p) {
  std::vector<double> second(pair_index(0, p.size()));
  for (std::size_t j = 1; j < p.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) second[pair_index(i, j)] = p[j] / (p[i] + p[j]);
  }
  return second;
}

std::vector<double> random_pairs(std::size_t classes, std::uint64_t index) {
  Rng rng(11, 0, index);
  std::vector<double> second(pair_index(0, classes));
  for (double& r : second) {
    // Some are as sure as can be, also against each other.
    r = rng.below(4) == 0 ? static_cast<double>(rng.below(2)) : rng.uniform();
  }
  return second;
}

// What the coupling minimises.
double objective(const std::vector<double>& second, const std::vector<double>& p) {
  double sum = 0;
  for (std::size_t j = 1; j < p.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double of_j = second[pair_index(i, j)];
      sum += 2 * std::pow(of_j * p[i] - (1 - of_j) * p[j], 2);
    }
  }
  return sum;
}

TEST(OneAgainstRest, DividesByTheSum) {
  std::vector<double> p{0.25, 0.5, 0.5};
  couple_one_against_rest(p, std::vector{0.2, 0.3, 0.5});
  EXPECT_EQ(p, (std::vector{0.2, 0.4, 0.4}));
}

TEST(OneAgainstRest, SaysTheSharesWhereEveryModelSaysNo) {
  std::vector<double> p{0, 0, 0};
  couple_one_against_rest(p, std::vector{0.25, 0.25, 0.5});
  EXPECT_EQ(p, (std::vector{0.25, 0.25, 0.5}));
}

TEST(OneAgainstRest, StandsTheSmallestNumbers) {
  std::vector<double> p{5e-324, 5e-324};
  couple_one_against_rest(p, std::vector{1.0, 0.0});
  EXPECT_EQ(p, (std::vector{0.5, 0.5}));
}

TEST(PairIndex, CountsThePairsInAnOrderThatNewClassesContinue) {
  std::size_t next = 0;
  for (std::size_t j = 1; j < 9; ++j) {
    for (std::size_t i = 0; i < j; ++i) EXPECT_EQ(pair_index(i, j), next++);
  }
}

TEST(OneAgainstOne, OfTwoClassesIsWhatTheModelSays) {
  for (const double r : {0.0, 1e-9, 0.3, 0.5, 0.999, 1.0}) {
    const auto p = couple({r}, 2);
    EXPECT_NEAR(p[0], 1 - r, kRounding);
    EXPECT_NEAR(p[1], r, kRounding);
  }
}

// The minimum under the constraint, from the conditions of Lagrange, worked out by hand: with
// r_01 = r_12 = r_20 = 3/4 no class is better than another.
TEST(OneAgainstOne, OfACircleIsAThirdEach) {
  const auto p = couple({0.25, 0.75, 0.25}, 3);
  for (const double value : p) EXPECT_NEAR(value, 1.0 / 3, kRounding);
}

// r_01 = 1/2, r_02 = r_12 = 1: (p_0 - p_1)^2/4 + p_2^2 twice is 0 at (1/2, 1/2, 0).
TEST(OneAgainstOne, GivesNothingToAClassThatLosesToAll) {
  const auto p = couple({0.5, 0, 0}, 3);
  EXPECT_NEAR(p[0], 0.5, kRounding);
  EXPECT_NEAR(p[1], 0.5, kRounding);
  EXPECT_NEAR(p[2], 0, kRounding);
}

TEST(OneAgainstOne, FindsTheProbabilitiesThatTheirPairsComeFrom) {
  for (const std::size_t classes : {3u, 4u, 7u, 26u}) {
    Rng rng(5, 0, classes);
    std::vector<double> p(classes);
    for (double& value : p) value = std::exp(4 * rng.normal());  // over many magnitudes
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& value : p) value /= sum;
    const auto found = couple(pairs_of(p), classes);
    for (std::size_t k = 0; k < classes; ++k) EXPECT_NEAR(found[k], p[k], kRounding) << classes;
  }
}

TEST(OneAgainstOne, GivesProbabilitiesWhateverThePairsSay) {
  for (std::uint64_t round = 0; round < 500; ++round) {
    const std::size_t classes = 1 + round % 12;
    const auto p = couple(random_pairs(classes, round), classes);
    double sum = 0;
    for (const double value : p) {
      ASSERT_TRUE(value >= 0 && value <= 1) << value;
      sum += value;
    }
    ASSERT_NEAR(sum, 1, kRounding);
  }
}

TEST(OneAgainstOne, MinimisesItsObjective) {
  for (std::uint64_t round = 0; round < 50; ++round) {
    const std::size_t classes = 3 + round % 5;
    const auto second = random_pairs(classes, 1000 + round);
    const auto p = couple(second, classes);
    for (std::size_t k = 0; k < classes; ++k) {
      // A little more of one class, a little less of all.
      auto other = p;
      for (double& value : other) value *= 0.999;
      other[k] += 0.001;
      EXPECT_GE(objective(second, other), objective(second, p) - kRounding);
    }
  }
}

TEST(OneAgainstOne, DoesNotMindTheOrderOfTheClasses) {
  constexpr std::size_t kClasses = 5;
  const std::vector<std::size_t> order{3, 0, 4, 1, 2};
  const auto second = random_pairs(kClasses, 7);
  std::vector<double> permuted(second.size());
  for (std::size_t j = 1; j < kClasses; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const std::size_t a = order[i], b = order[j];
      permuted[pair_index(i, j)] = a < b ? second[pair_index(a, b)] : 1 - second[pair_index(b, a)];
    }
  }
  const auto p = couple(second, kClasses), q = couple(permuted, kClasses);
  for (std::size_t k = 0; k < kClasses; ++k) EXPECT_NEAR(q[k], p[order[k]], kRounding);
}

}  // namespace
}  // namespace plumbline::coupling_test
