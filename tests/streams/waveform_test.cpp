#include "plumbline/streams/generators/waveform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support.h"

namespace plumbline {
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

// The mean of class 1 is half the sum of the triangles around 7 and 11, that of class 0 of those
// around 7 and 15 (points count from 1).
TEST(Waveform, ClassesMixTheTrianglesOfTheUciFile) {
  const Minibatch data = test::waveform(40000, 3, "waveform");
  ASSERT_EQ(data.features().columns, 40u);
  const auto triangle = [](double centre, std::size_t j) {
    return std::max(0.0, 6 - std::abs(static_cast<double>(j + 1) - centre));
  };
  const std::vector<double> positive = class_mean(data, 1), negative = class_mean(data, 0);
  // Five standard errors; the variance of a point is at most 1 + 36/12.
  const double tolerance = 5 * std::sqrt(4.0 / 20000);
  for (std::size_t j = 0; j < 21; ++j) {
    EXPECT_NEAR(positive[j], (triangle(7, j) + triangle(11, j)) / 2, tolerance) << j;
    EXPECT_NEAR(negative[j], (triangle(7, j) + triangle(15, j)) / 2, tolerance) << j;
  }
  for (std::size_t j = 21; j < 40; ++j) EXPECT_NEAR(positive[j], 0, tolerance);
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
    ASSERT_TRUE(pieces->read(piece, 1));
    EXPECT_EQ(piece.features().row(0)[5], all.features().row(i)[5]);
    EXPECT_EQ(piece.examples().y[0], all.examples().y[i]);
  }
}

}  // namespace
}  // namespace plumbline
