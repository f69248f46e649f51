#include "plumbline/generators/random_rbf.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace plumbline::random_rbf_test {
namespace {

Minibatch read(RandomRbf& stream, std::size_t count) {
  Minibatch data(stream.schema().size());
  stream.read(data, count);
  return data;
}

// The squared distance of row i from the centre at example `when`.
double squared_distance(const Minibatch& data, std::size_t i, const RandomRbf::Centroid& centroid,
                        std::uint64_t when) {
  double sum = 0;
  for (std::size_t j = 0; j < data.features().columns; ++j) {
    const double off = data.features().row(i)[j] - centroid.at(when, j);
    sum += off * off;
  }
  return sum;
}

TEST(RandomRbf, DrawsCentroidsFromTheUnitCube) {
  const RandomRbf stream({.features = 3, .centroids = 2000}, 1);
  ASSERT_EQ(stream.centroids().size(), 2000u);
  double positives = 0, coordinates = 0, deviations = 0, weights = 0;
  for (const auto& centroid : stream.centroids()) {
    ASSERT_EQ(centroid.centre.size(), 3u);
    for (const double c : centroid.centre) ASSERT_TRUE(c >= 0 && c < 1);
    ASSERT_TRUE(centroid.deviation >= 0 && centroid.deviation < 1);
    ASSERT_TRUE(centroid.weight >= 0 && centroid.weight < 1);
    positives += centroid.label;
    coordinates += centroid.centre[2];
    deviations += centroid.deviation;
    weights += centroid.weight;
  }
  EXPECT_NEAR(positives / 2000, 0.5, test::five_errors(0.5, 2000));
  const double tolerance = 5 * std::sqrt(1.0 / 12 / 2000);
  EXPECT_NEAR(coordinates / 2000, 0.5, tolerance);
  EXPECT_NEAR(deviations / 2000, 0.5, tolerance);
  EXPECT_NEAR(weights / 2000, 0.5, tolerance);
}

TEST(RandomRbf, PicksCentroidsByTheirWeights) {
  RandomRbf stream({.features = 2, .centroids = 5}, 1);
  const Minibatch data = read(stream, 40000);
  double total = 0, positive = 0, mean = 0;
  for (const auto& centroid : stream.centroids()) {
    total += centroid.weight;
    positive += centroid.weight * centroid.label;
    mean += centroid.weight * centroid.centre[0];
  }
  ASSERT_TRUE(positive > 0 && positive < total) << "a concept of one class would show nothing";
  const double share = positive / total;
  EXPECT_NEAR(test::positive_rate(data), share, test::five_errors(share, 40000));
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) sum += data.features().row(i)[0];
  // A coordinate varies by at most 1/4 between the centres and by less than 1 around them.
  EXPECT_NEAR(sum / 40000, mean / total, 5 * std::sqrt(1.25 / 40000));
}

TEST(RandomRbf, LiesOffTheCentreByANormalLength) {
  RandomRbf stream({.features = 3, .centroids = 1}, 2);
  const auto& centroid = stream.centroids()[0];
  const Minibatch data = read(stream, 20000);
  double squares = 0, within_one = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    ASSERT_EQ(data.examples().y[i], centroid.label);
    const double z2 =
        squared_distance(data, i, centroid, 0) / (centroid.deviation * centroid.deviation);
    squares += z2;
    within_one += z2 < 1;
  }
  EXPECT_NEAR(squares / 20000, 1, 5 * std::sqrt(2.0 / 20000));  // chi-square of 1 has variance 2
  const double share = std::erf(std::sqrt(0.5));
  EXPECT_NEAR(within_one / 20000, share, test::five_errors(share, 20000));
}

TEST(RandomRbf, GoesOffTheCentreInEveryDirection) {
  RandomRbf stream({.features = 3, .centroids = 1}, 2);
  const auto& centroid = stream.centroids()[0];
  const Minibatch data = read(stream, 20000);
  for (std::size_t j = 0; j < 3; ++j) {
    double above = 0, same_side_as_next = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const auto x = data.features().row(i);
      above += x[j] > centroid.centre[j];
      same_side_as_next +=
          (x[j] > centroid.centre[j]) == (x[(j + 1) % 3] > centroid.centre[(j + 1) % 3]);
    }
    EXPECT_NEAR(above / 20000, 0.5, test::five_errors(0.5, 20000)) << j;
    EXPECT_NEAR(same_side_as_next / 20000, 0.5, test::five_errors(0.5, 20000)) << j;
  }
}

TEST(RandomRbf, MovesTheFirstCentroidsAtTheSpeedAndKeepsThemInTheCube) {
  constexpr double kSpeed = 0.01;
  const RandomRbf stream({.features = 3, .centroids = 4, .moving = 2, .speed = kSpeed}, 1);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& centroid = stream.centroids()[k];
    int straight = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      double squares = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        const double here = centroid.at(i, j), next = centroid.at(i + 1, j);
        ASSERT_TRUE(here >= 0 && here <= 1);
        squares += (next - here) * (next - here);
      }
      const double moved = std::sqrt(squares), speed = k < 2 ? kSpeed : 0;
      ASSERT_LE(moved, speed + 1e-12);  // less where it bounces
      straight += std::abs(moved - speed) < 1e-12;
    }
    // Each of 3 coordinates meets a wall at most every 1 / 0.01 examples.
    EXPECT_GE(straight, 1000 - 3 * 11) << k;
  }
}

TEST(RandomRbf, MirrorsAtBothWalls) {
  RandomRbf::Centroid up, down;
  up.centre = down.centre = {0.25};
  up.velocity = {0.5}, down.velocity = {-0.5};
  const double going_up[] = {0.25, 0.75, 0.75, 0.25, 0.25, 0.75};
  const double going_down[] = {0.25, 0.25, 0.75, 0.75, 0.25, 0.25};
  for (std::uint64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(up.at(i, 0), going_up[i]) << i;
    EXPECT_EQ(down.at(i, 0), going_down[i]) << i;
  }
}

TEST(RandomRbf, ExamplesFollowTheMovingCentre) {
  RandomRbf stream({.features = 10, .centroids = 1, .speed = 0.001}, 2);
  const auto& centroid = stream.centroids()[0];
  const Minibatch data = read(stream, 20000);
  double moving = 0, resting = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    moving += squared_distance(data, i, centroid, i);
    resting += squared_distance(data, i, centroid, 0);
  }
  const double variance = centroid.deviation * centroid.deviation;
  const double tolerance = 5 * variance * std::sqrt(2.0 / 20000);
  EXPECT_NEAR(moving / 20000, variance, tolerance);
  EXPECT_GT(resting / 20000, variance + tolerance);
}

TEST(RandomRbf, HasOtherCentroidsInAnotherConcept) {
  const RandomRbf a({}, 1), b({.concept_number = 2}, 1);
  EXPECT_NE(a.centroids()[0].centre, b.centroids()[0].centre);
}

TEST(RandomRbf, DoesNotDependOnHowItIsRead) {
  const RandomRbf::Params moving{.speed = 0.01};
  RandomRbf whole(moving, 9), pieces(moving, 9);
  test::expect_the_same_in_pieces(whole, pieces, 500);
}

}  // namespace
}  // namespace plumbline::random_rbf_test
