#include "plumbline/calibrators/online_newton.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "plumbline/error.h"
#include "plumbline/math/loss.h"
#include "tests/calibrators/support.h"

namespace plumbline::online_newton_test {
namespace {

using Pair = std::array<double, 2>;

Pair weights(const OnlineNewton& newton) {
  return {newton.linear(Pair{1, 0}), newton.linear(Pair{0, 1})};
}

void step(OnlineNewton& newton, const Pair& x, Label y) {
  newton.learn(std::vector<Label>{y}, [&](std::size_t) { return x; });
}

// A symmetric matrix of two rows.
struct Matrix {
  double first, mixed, second;

  Pair times(const Pair& v) const {
    return {first * v[0] + mixed * v[1], mixed * v[0] + second * v[1]};
  }
};

// Each step must solve B (w_new - w) = (y - p(w_new)) x; before every 16th, the past is discounted by k = f^16:
// B = k A + (1 - k) P, and w moves by -B^-1 (1 - k) P (w - w0).
TEST(OnlineNewton, TakesTheStepsOfItsFormula) {
  const double f = 0.99;
  const Pair start{1, -0.5};
  OnlineNewton newton(
      f,
      {.start = {start[0], start[1]}, .ridge = 1, .roughness = {3, -3, -3, 3}, .nonnegative = 0});
  const Matrix prior{4, -3, 4};
  Matrix a = prior;
  Pair w = start;
  struct Example {
    Pair x;
    Label y;
  };
  const Example examples[] = {{{1, 2}, 1}, {{3, -1}, 1}, {{2, 1}, 0}};
  for (std::size_t i = 0; i < 40; ++i) {
    const auto& [x, y] = examples[i % 3];
    const double k = i % 16 == 0 ? std::pow(f, 16) : 1;
    step(newton, x, y);
    const Pair now = weights(newton), moved{now[0] - w[0], now[1] - w[1]};
    const double p = sigmoid(newton.linear(x)), c = p * (1 - p);
    const Matrix b{k * a.first + (1 - k) * prior.first, k * a.mixed + (1 - k) * prior.mixed,
                   k * a.second + (1 - k) * prior.second};
    const Pair left = b.times(moved), pull = prior.times({w[0] - start[0], w[1] - start[1]});
    // The margin is found to within 1e-10, where rounding is not worse.
    EXPECT_NEAR(left[0], (y - p) * x[0] - (1 - k) * pull[0], 1e-9);
    EXPECT_NEAR(left[1], (y - p) * x[1] - (1 - k) * pull[1], 1e-9);
    a = {b.first + c * x[0] * x[0], b.mixed + c * x[0] * x[1], b.second + c * x[1] * x[1]};
    w = now;
  }
}

TEST(OnlineNewton, SolvesForTheOthersWhereAWeightMeetsItsBound) {
  OnlineNewton newton(1, {.start = {0.1, 0.1}, .ridge = 1, .roughness = {}, .nonnegative = 1});
  const Pair x{3, 1};
  step(newton, x, 0);
  // The loss in quadratic terms where the step would end without the bound.
  const double before = 0.4, m = test::implicit_margin(before, 10, 0);
  const double p = sigmoid(m), c = p * (1 - p), slope = c * (before - m) + p;
  // The first weight moves by -0.1 only; the second minimises what remains of g'd + d'Ad/2.
  const auto [first, second] = weights(newton);
  EXPECT_EQ(first, 0);
  EXPECT_NEAR(second, 0.1 - (slope * x[1] + c * x[0] * x[1] * -0.1) / (1 + c * x[1] * x[1]), 1e-9);
}

TEST(OnlineNewton, SettlesWhereProbabilitiesBeginNearZero) {
  OnlineNewton newton(1, {.start = {1, 0}, .ridge = 1, .roughness = {}, .nonnegative = 0});
  const Pair x{-13.8, 1};  // p is 1e-6, and there is no curvature to speak of
  for (int i = 0; i < 200; ++i) step(newton, x, static_cast<Label>(i % 2));
  // Half of 200 labels, but for the last step of 1/200 and the prior's pull, which is less.
  EXPECT_NEAR(sigmoid(newton.linear(x)), 0.5, 0.01);
}

TEST(OnlineNewton, GoesBackToItsStartWhereExamplesNoLongerSpeak) {
  OnlineNewton newton(0.9, {.start = {1, 0}, .ridge = 1, .roughness = {}, .nonnegative = 0});
  for (int i = 0; i < 20; ++i) step(newton, Pair{1, 0}, 0);
  EXPECT_LT(weights(newton)[0], 0);
  for (int i = 0; i < 400; ++i) step(newton, Pair{0, 1}, static_cast<Label>(i % 2));
  EXPECT_NEAR(weights(newton)[0], 1, 1e-9);  // 0.9^400 of the way is left
}

TEST(OnlineNewton, RefusesStatesThatNoStepLeadsTo) {
  OnlineNewton newton(0.99, {.start = {1, 0}, .ridge = 1, .roughness = {}, .nonnegative = 1});
  step(newton, Pair{1, 1}, 1);
  const Tensors good = save_state(newton);
  struct Damage {
    const char* tensor;
    std::size_t place;
    double value;
  };
  for (const Damage& damage : {Damage{"weights", 0, -0.1},   // below its bound
                               Damage{"weights", 1, 1e4},    // beyond any step
                               Damage{"curvature", 0, 0.1},  // less than the prior's
                               Damage{"curvature", 1, 0.5},  // not symmetric
                               Damage{"curvature", 3, 1e101}}) {
    Tensors tensors = good;
    test::overwrite(test::tensor(tensors, damage.tensor), damage.place, damage.value);
    EXPECT_THROW(load_state(newton, tensors), Error) << damage.tensor << damage.place;
  }
  Tensors indefinite = good;
  for (const std::size_t place : {1u, 2u}) {
    test::overwrite(test::tensor(indefinite, "curvature"), place, 2);
  }
  EXPECT_THROW(load_state(newton, indefinite), Error);
}

}  // namespace
}  // namespace plumbline::online_newton_test
