#include "plumbline/generators/sea.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace plumbline::sea_test {
namespace {

constexpr double kThresholds[] = {8, 9, 7, 9.5};

Spec sea(std::int64_t number, double noise) {
  return Spec("sea").set("concept", number).set("noise", noise);
}

double share_off_the_rule(const Minibatch& data, double threshold) {
  double off = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto x = data.features().row(i);
    off += (x[0] + x[1] <= threshold) != (data.examples().y[i] == 1);
  }
  return off / static_cast<double>(data.rows());
}

TEST(Sea, IsPositiveUpToTheThresholdOfItsConcept) {
  for (std::int64_t number = 1; number <= 4; ++number) {
    const double threshold = kThresholds[number - 1];
    const Minibatch data = test::generate(sea(number, 0), 20000);
    EXPECT_EQ(share_off_the_rule(data, threshold), 0) << number;
    // The triangle below x1 + x2 = theta in a square of side 10.
    const double share = threshold * threshold / 200;
    EXPECT_NEAR(test::positive_rate(data), share, test::five_errors(share, 20000)) << number;
  }
}

TEST(Sea, InvertsATenthOfTheLabelsUnlessToldOtherwise) {
  EXPECT_NEAR(share_off_the_rule(test::generate("sea", 20000), 8), 0.1,
              test::five_errors(0.1, 20000));
  EXPECT_NEAR(share_off_the_rule(test::generate(sea(3, 0.3), 20000), 7), 0.3,
              test::five_errors(0.3, 20000));
  EXPECT_EQ(share_off_the_rule(test::generate(sea(2, 1), 100), 9), 1);
}

TEST(Sea, HasThreeFeaturesUniformOnZeroToTen) {
  const Minibatch data = test::generate("sea", 20000);
  ASSERT_EQ(data.features().columns, 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    double low = 0, sum = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const double x = data.features().row(i)[j];
      ASSERT_TRUE(x >= 0 && x < 10);
      low += x < 1;
      sum += x;
    }
    EXPECT_NEAR(low / 20000, 0.1, test::five_errors(0.1, 20000)) << j;
    EXPECT_NEAR(sum / 20000, 5, 5 * std::sqrt(100.0 / 12 / 20000)) << j;
  }
}

TEST(Sea, HasTheSameFeaturesInEveryConcept) {
  const Minibatch a = test::generate(sea(1, 0), 50), b = test::generate(sea(4, 0.5), 50);
  EXPECT_TRUE(std::ranges::equal(a.features().values, b.features().values));
}

}  // namespace
}  // namespace plumbline::sea_test
