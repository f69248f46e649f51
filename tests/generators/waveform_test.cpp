#include "plumbline/generators/waveform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/generators/registry.h"
#include "tests/support.h"

namespace plumbline::waveform_test {
namespace {

std::vector<double> class_mean(const Minibatch& data, Label label) {
  std::vector<double> mean(data.features().columns);
  double count = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.examples().y[i] != label) continue;
    ++count;
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += data.features().row(i)[j];
  }
  for (double& m : mean) m /= count;
  return mean;
}

// Of height 6 around `centre`; points count from 1, columns from 0.
double triangle(double centre, std::size_t j) {
  return std::max(0.0, 6 - std::abs(static_cast<double>(j + 1) - centre));
}

// The mean of class 1 is half the sum of the triangles around 7 and 11, that of class 0 of those
// around 7 and 15 (points count from 1).
TEST(Waveform, ClassesMixTheTrianglesOfTheUciFile) {
  const Minibatch data = test::waveform(40000, 3, "waveform");
  ASSERT_EQ(data.features().columns, 40u);
  const std::vector<double> positive = class_mean(data, 1), negative = class_mean(data, 0);
  // Five standard errors; the variance of a point is at most 1 + 36/12.
  const double tolerance = 5 * std::sqrt(4.0 / 20000);
  for (std::size_t j = 0; j < 21; ++j) {
    EXPECT_NEAR(positive[j], (triangle(7, j) + triangle(11, j)) / 2, tolerance) << j;
    EXPECT_NEAR(negative[j], (triangle(7, j) + triangle(15, j)) / 2, tolerance) << j;
  }
  for (std::size_t j = 21; j < 40; ++j) EXPECT_NEAR(positive[j], 0, tolerance);
}

// Half of the rest is class 0 and half class 2, which mixes the triangles around 11 and 15.
TEST(Waveform, TheRestIsTheTwoOtherClassesInEqualShares) {
  const Minibatch data = test::waveform(40000, 3, "waveform:against=rest,noise_features=0");
  const std::vector<double> positive = class_mean(data, 1), negative = class_mean(data, 0);
  // Five standard errors. A class has a variance of at most 1 + 36/12; between the means of the two
  // other classes, at most 3 apart, lies another (3/2)^2 at most.
  const double tolerance = 5 * std::sqrt(6.25 / 20000);
  for (std::size_t j = 0; j < 21; ++j) {
    EXPECT_NEAR(positive[j], (triangle(7, j) + triangle(11, j)) / 2, tolerance) << j;
    const double rest = (triangle(7, j) + triangle(11, j)) / 4 + triangle(15, j) / 2;
    EXPECT_NEAR(negative[j], rest, tolerance) << j;
  }
}

// Noise of variance 1, and (h_a - h_b)^2/12 from the uniform share of the two waves.
TEST(Waveform, PointsHaveTheVarianceOfTheMixtureAndTheNoise) {
  constexpr double kRows = 40000;
  const Minibatch data = test::waveform(40000, 3, "waveform:noise_features=2");
  const std::vector<double> mean = class_mean(data, 1);
  double count = 0;
  std::vector<double> squares(23);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.examples().y[i] != 1) continue;
    ++count;
    for (std::size_t j = 0; j < 23; ++j) {
      squares[j] += std::pow(data.features().row(i)[j] - mean[j], 2);
    }
  }
  for (std::size_t j = 0; j < 23; ++j) {
    const double spread = j < 21 ? triangle(7, j) - triangle(11, j) : 0;
    const double variance = 1 + spread * spread / 12;
    // Five standard errors; the kurtosis is at most the normal one of 3.
    EXPECT_NEAR(squares[j] / count, variance, 5 * variance * std::sqrt(2 / (kRows / 2))) << j;
  }
}

TEST(Waveform, DrawsFromTheStreamOfTheGenerators) {
  const Minibatch data = test::waveform(50, 9);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(data.examples().y[i], Rng(9, kGeneratorStream, i).below(2)) << i;
  }
}

TEST(Waveform, IsBalancedAgainstOneClassAndAgainstTheRest) {
  for (const char* spec : {"waveform", "waveform:against=rest"}) {
    const Minibatch data = test::waveform(10000, 1, spec);
    double positives = 0;
    for (const Label y : data.examples().y) positives += y;
    EXPECT_NEAR(positives / 10000, 0.5, 5 * std::sqrt(0.25 / 10000)) << spec;
  }
}

TEST(Waveform, DoesNotDependOnHowItIsRead) {
  const auto whole = generators().make("waveform", 9), pieces = generators().make("waveform", 9);
  Minibatch all(40), piece(40);
  whole->read(all, 10);
  for (std::size_t i = 0; i < 10; ++i) {
    pieces->read(piece, 1);
    EXPECT_EQ(piece.features().row(0)[5], all.features().row(i)[5]);
    EXPECT_EQ(piece.examples().y[0], all.examples().y[i]);
  }
}

TEST(Waveform, ItsColumnsAreNumberedFromOne) {
  const auto stream = generators().make("waveform", 1);
  ASSERT_EQ(stream->schema().size(), 40u);
  EXPECT_EQ(stream->schema().features.front(), "x1");
  EXPECT_EQ(stream->schema().features.back(), "x40");
}

}  // namespace
}  // namespace plumbline::waveform_test
