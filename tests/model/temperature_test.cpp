#include "plumbline/model/temperature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/archive.h"
#include "plumbline/math/rng.h"

namespace plumbline::temperature_test {
namespace {

TEST(Temperature, LeavesProbabilitiesAsTheyAreBeforeAnyLearning) {
  std::vector<double> p{0.1, 0.2, 0.7};
  const auto before = p;
  Temperature().apply(p);
  EXPECT_EQ(p, before);
}

// The step as its definition has it: no value nearby is better.
TEST(Temperature, StepsToTheMinimum) {
  const std::vector<double> p{0.5, 0.3, 0.2};
  for (std::size_t y = 0; y < 3; ++y) {
    Temperature sharpness;
    sharpness.learn(p, y);
    const auto objective = [&](double v) {
      double sum = 0;
      for (const double value : p) sum += std::pow(value, v);
      return 25 * (v - 1) * (v - 1) - std::log(std::pow(p[y], v) / sum);
    };
    const double w = sharpness.value();
    EXPECT_LT(objective(w), objective(w + 1e-4));
    EXPECT_LT(objective(w), objective(w - 1e-4));
    // The likeliest class makes surer, the least likely less sure.
    EXPECT_EQ(w > 1, y == 0);
  }
}

// With many unlikely classes the derivative is flat, steep and flat again, and Newton's steps alone would cross the steep
// part for ever.
TEST(Temperature, StepsToTheMinimumAcrossASteepPart) {
  struct Case {
    std::size_t classes;
    double distance, second, start;
    std::size_t y;
  };
  for (const Case& one : {Case{196, 28.13477, 18.00218, 0.05557678, 0},
                          {238, 27.68131, 21.41631, 0.06342368, 0},
                          {242, 31.85269, 21.96744, 0.69351931, 2}}) {
    std::vector<double> p(one.classes, std::exp(-one.distance));
    p[0] = std::exp(-1e-3);
    p[1] = std::exp(-one.second);
    Temperature sharpness;
    Tensors state = save_state(sharpness);
    for (Tensor& tensor : state) {
      if (tensor.name == "value") {
        std::memcpy(tensor.bytes.data(), &one.start, sizeof(double));
      }
    }
    load_state(sharpness, state);
    sharpness.learn(p, one.y);
    const auto objective = [&](double v) {
      double sum = 0;
      for (const double value : p) sum += std::pow(value, v);
      return 25 * (v - one.start) * (v - one.start) - std::log(std::pow(p[one.y], v) / sum);
    };
    const double w = sharpness.value();
    EXPECT_LT(objective(w), objective(w + 1e-4)) << w;
    EXPECT_LT(objective(w), objective(w - 1e-4)) << w;
  }
}

TEST(Temperature, FindsThePowerThatTheProbabilitiesWereSpoiltBy) {
  Temperature sharpness;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Rng rng(4, 0, i);
    std::vector<double> p(4), spoilt(4);
    double sum = 0, spoilt_sum = 0;
    for (double& value : p) sum += value = -std::log(1 - rng.uniform()) + 1e-9;
    for (std::size_t k = 0; k < 4; ++k) {
      p[k] /= sum;
      spoilt_sum += spoilt[k] = std::sqrt(p[k]);
    }
    for (double& value : spoilt) value /= spoilt_sum;
    double u = rng.uniform();
    std::size_t y = 0;
    while (y < 3 && u >= p[y]) u -= p[y++];
    sharpness.learn(spoilt, y);
  }
  // The square root, and so the square mends it; the deviation of the estimate is about 0.02 here.
  EXPECT_NEAR(sharpness.value(), 2, 0.1);
}

TEST(Temperature, StaysWithinItsBoundsAndGivesProbabilities) {
  for (const std::size_t y : {0u, 2u}) {
    Temperature sharpness;
    for (int i = 0; i < 2000; ++i) sharpness.learn(std::vector<double>{1, 0, 0}, y);
    EXPECT_GE(sharpness.value(), 0.05);
    EXPECT_LE(sharpness.value(), 20);
    std::vector<double> p{0.99, 0.01, 0};
    sharpness.apply(p);
    double sum = 0;
    for (const double value : p) {
      EXPECT_TRUE(value >= 0 && value <= 1);
      sum += value;
    }
    EXPECT_NEAR(sum, 1, 1e-14);  // rounding
  }
}

}  // namespace
}  // namespace plumbline::temperature_test
