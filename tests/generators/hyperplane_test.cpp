#include "plumbline/generators/hyperplane.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace plumbline::hyperplane_test {
namespace {

// Reads one example and says whether its label is that of the plane at that time.
bool follows_the_plane(Hyperplane& stream, Minibatch& batch) {
  const std::vector<double> weights(stream.weights().begin(), stream.weights().end());
  stream.read(batch, 1);
  double sum = 0, threshold = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    sum += weights[j] * batch.features().row(0)[j];
    threshold += weights[j] / 2;
  }
  return (sum >= threshold) == (batch.examples().y[0] == 1);
}

TEST(Hyperplane, IsPositiveAboveThePlaneThroughTheMiddle) {
  Hyperplane stream({.features = 4, .changing = 3, .magnitude = 0.05, .noise = 0}, 1);
  Minibatch batch(4);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(follows_the_plane(stream, batch)) << i;
}

TEST(Hyperplane, InvertsATwentiethOfTheLabelsUnlessToldOtherwise) {
  for (const double noise : {0.05, 0.3}) {
    Hyperplane::Params params;
    if (noise != 0.05) params.noise = noise;
    Hyperplane stream(params, 2);
    Minibatch batch(10);
    double inverted = 0;
    for (int i = 0; i < 10000; ++i) inverted += !follows_the_plane(stream, batch);
    EXPECT_NEAR(inverted / 10000, noise, test::five_errors(noise, 10000));
  }
}

TEST(Hyperplane, IsBalancedHoweverFarItHasRotated) {
  for (const char* spec : {"hyperplane", "hyperplane:magnitude=0.5,reversal=0,changing=1",
                           "hyperplane:features=3,changing=3,magnitude=1"}) {
    EXPECT_NEAR(test::positive_rate(test::generate(spec, 20000)), 0.5,
                test::five_errors(0.5, 20000))
        << spec;
  }
}

TEST(Hyperplane, HasFeaturesUniformOnZeroToOne) {
  const Minibatch data = test::generate("hyperplane:features=2", 20000);
  double sum = 0, squares = 0;
  for (const double x : data.features().values) {
    ASSERT_TRUE(x >= 0 && x < 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 40000, 0.5, 5 * std::sqrt(1.0 / 12 / 40000));
  EXPECT_NEAR(squares / 40000, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / 40000));  // var(x^2) = 4/45
}

TEST(Hyperplane, MovesTheChangingWeightsByTheMagnitudeAndTurnsSomeBack) {
  constexpr double kMagnitude = 0.01;
  Hyperplane stream({.changing = 2, .magnitude = kMagnitude, .reversal = 0.1}, 3);
  Minibatch batch(10);
  std::vector<double> before(stream.weights().begin(), stream.weights().end());
  for (const double weight : before) EXPECT_TRUE(weight >= 0 && weight < 1);
  std::vector<double> direction(2, 1);  // upwards at first
  double reversals = 0;
  for (int i = 0; i < 10000; ++i) {
    stream.read(batch, 1);
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double step = stream.weights()[j] - before[j];
      // A sum of weights of up to 100 rounds by less than 1e-13.
      ASSERT_NEAR(std::abs(step), j < 2 ? kMagnitude : 0, 1e-13);
      if (j >= 2) continue;
      ASSERT_TRUE(i > 0 || step > 0);
      reversals += step * direction[j] < 0;
      direction[j] = step > 0 ? 1 : -1;
    }
    before.assign(stream.weights().begin(), stream.weights().end());
  }
  EXPECT_NEAR(reversals / 20000, 0.1, test::five_errors(0.1, 20000));
}

TEST(Hyperplane, NeverTurnsBackOrMovesIfToldSo) {
  Hyperplane steady({.magnitude = 0.25, .reversal = 0}, 1), still({.magnitude = 0}, 1);
  const double first = steady.weights()[0];
  Minibatch batch(10);
  steady.read(batch, 400);
  still.read(batch, 400);
  EXPECT_NEAR(steady.weights()[0], first + 100, 1e-9);
  EXPECT_EQ(still.weights()[0], first);
}

TEST(Hyperplane, ChangesAtMostAllWeights) {
  Hyperplane stream({.features = 2, .changing = 50, .magnitude = 0.5}, 1);
  const double first = stream.weights()[1];
  Minibatch batch(2);
  stream.read(batch, 1);
  EXPECT_NEAR(stream.weights()[1], first + 0.5, 1e-15);
}

TEST(Hyperplane, StartsFromOtherWeightsInAnotherConcept) {
  const Hyperplane a({.concept_number = 1}, 1), b({.concept_number = 2}, 1), same({}, 1);
  EXPECT_FALSE(std::ranges::equal(a.weights(), b.weights()));
  EXPECT_TRUE(std::ranges::equal(a.weights(), same.weights()));
  const Minibatch x = test::generate("hyperplane:concept=1", 1),
                  y = test::generate("hyperplane:concept=2", 1);
  EXPECT_TRUE(std::ranges::equal(x.features().values, y.features().values));
  EXPECT_FALSE(std::ranges::equal(x.features().values, a.weights()))
      << "weights and examples come from different draws";
}

TEST(Hyperplane, DoesNotDependOnHowItIsRead) {
  const Hyperplane::Params fast{.magnitude = 0.5};
  Hyperplane whole(fast, 9), pieces(fast, 9);
  test::expect_the_same_in_pieces(whole, pieces, 500);
  EXPECT_TRUE(std::ranges::equal(whole.weights(), pieces.weights()));
}

}  // namespace
}  // namespace plumbline::hyperplane_test
