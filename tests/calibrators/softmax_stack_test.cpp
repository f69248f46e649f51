#include "plumbline/calibrators/softmax_stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::softmax_stack_test {
namespace {

struct Example {
  std::vector<double> logs;
  std::size_t y;
  double loss;  // of the true probabilities
};

// Class probabilities, the label drawn from them, and logs that are the true ones times `power` plus biases.
Example draw(std::uint64_t i, std::size_t classes, double power, double bias) {
  Rng rng(4, 0, i);
  std::vector<double> p(classes);
  double sum = 0;
  for (double& value : p) sum += value = std::pow(-std::log(1 - rng.uniform()) + 1e-9, 2);
  for (double& value : p) value /= sum;
  double u = rng.uniform();
  std::size_t y = 0;
  while (y + 1 < classes && u >= p[y]) u -= p[y++];
  Example example{{}, y, -std::log(p[y])};
  for (std::size_t k = 0; k < classes; ++k) {
    example.logs.push_back(power * std::log(std::max(p[k], 1e-6)) + (k == 0 ? bias : 0));
  }
  softmax(example.logs);
  for (double& value : example.logs) value = std::log(std::max(value, 1e-6));
  return example;
}

double loss(const SoftmaxStack& stack, const Example& example, std::size_t classes) {
  std::vector<double> q(classes);
  stack.apply(example.logs, q);
  return -std::log(q[example.y]);
}

TEST(SoftmaxStack, PassesOneSourceThroughBeforeAnyLearning) {
  const SoftmaxStack stack(0.999, 1, 3);
  std::vector<double> q(3);
  stack.apply(std::vector<double>{std::log(0.2), std::log(0.5), std::log(0.3)}, q);
  EXPECT_NEAR(q[0], 0.2, 1e-15);  // rounding
  EXPECT_NEAR(q[1], 0.5, 1e-15);
}

TEST(SoftmaxStack, StartsAtTheGeometricMeanOfItsSources) {
  const SoftmaxStack stack(0.999, 2, 3);
  std::vector<double> q(3);
  stack.apply(std::vector<double>{std::log(0.8), std::log(0.1), std::log(0.1), std::log(0.2),
                                  std::log(0.4), std::log(0.4)},
              q);
  EXPECT_NEAR(q[0] / q[1], std::sqrt(0.16 / 0.04), 1e-12);  // rounding
}

// The step as its definition has it, for the first example: no point nearby is better.
TEST(SoftmaxStack, StepsToTheMinimumAlongItsDirection) {
  const std::vector<double> logs{std::log(0.7), std::log(0.2), std::log(0.1)};
  for (std::size_t y = 0; y < 3; ++y) {
    SoftmaxStack stack(1, 1, 3);
    const std::vector<double> start(stack.weights().begin(), stack.weights().end());
    stack.learn(logs, y);
    const auto objective = [&](double t) {
      double distance = 0;
      std::vector<double> z(3);
      for (std::size_t i = 0; i < 4; ++i) {
        const double moved = t * (stack.weights()[i] - start[i]);
        distance += moved * moved / 2;
        for (std::size_t k = 0; k < 3; ++k) {
          if (i == 0) z[k] += (start[0] + moved) * logs[k];
          if (i == k + 1) z[k] += moved;
        }
      }
      softmax(z);
      return distance - std::log(z[y]);
    };
    EXPECT_LT(objective(1), objective(0));
    EXPECT_LT(objective(1), objective(1.001));
    EXPECT_LT(objective(1), objective(0.999));
  }
}

// 3 classes renew the factors with each example, 30 every 31 examples.
TEST(SoftmaxStack, MendsPowerAndBias) {
  for (const std::size_t classes : {3u, 30u}) {
    SoftmaxStack stack(0.9999, 1, classes);
    double learned = 0, best = 0, given = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const Example example = draw(i, classes, 2.5, 1);
      if (i >= 10000) {
        learned += loss(stack, example, classes);
        given -= example.logs[example.y];
        best += example.loss;
      }
      stack.learn(example.logs, example.y);
    }
    EXPECT_GT(given, 1.15 * best) << classes;
    // Within the losses of clamped logs and of the estimates, (K + 1)/2 nats per memory of 10,000 examples.
    EXPECT_LT(learned, 1.01 * best) << classes;
    EXPECT_NEAR(stack.weights()[0], 1 / 2.5, 0.04) << classes;
  }
}

TEST(SoftmaxStack, WeighsTheBetterOfTwoSources) {
  SoftmaxStack stack(0.9999, 2, 3);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Example example = draw(i, 3, 1, 0);
    const Example noise = draw(i + 1000000, 3, 1, 0);
    example.logs.insert(example.logs.end(), noise.logs.begin(), noise.logs.end());
    stack.learn(example.logs, example.y);
  }
  EXPECT_NEAR(stack.weights()[0], 1, 0.1);  // the deviation of the estimates is about 0.02
  EXPECT_NEAR(stack.weights()[1], 0, 0.1);
}

// Surely wrong again and again: the objective of the line search has a kink, which Newton's method alone would cross for
// ever, to end at a step that rounding decides.
TEST(SoftmaxStack, DoesNotAmplifyRoundingErrors) {
  SoftmaxStack one(0.99, 2, 7), other(0.99, 2, 7);
  for (std::uint64_t i = 0; i < 200; ++i) {
    Rng rng(6, 0, i);
    const std::size_t sure = rng.below(7), y = rng.below(7);
    std::vector<double> logs(14, -13.8), moved;
    logs[sure] = logs[7 + sure] = -1e-6;
    for (const double log : logs) moved.push_back(log * (1 + (i % 2 == 0 ? 1e-15 : -1e-15)));
    one.learn(logs, y);
    other.learn(moved, y);
    for (std::size_t k = 0; k < 9; ++k)
      ASSERT_NEAR(one.weights()[k], other.weights()[k], 1e-9) << i;
  }
}

TEST(SoftmaxStack, StaysFiniteWhateverItLearns) {
  for (const std::size_t classes : {3u, 20u}) {
    SoftmaxStack stack(0.5, 2, classes);
    std::vector<double> logs(2 * classes, -14), q(classes);
    logs[0] = logs[classes] = 0;
    for (int i = 0; i < 3000; ++i) {
      stack.learn(logs, i % 3 == 0 ? 1 : 0);
      stack.apply(logs, q);
      for (const double p : q) ASSERT_TRUE(p >= 0 && p <= 1) << i;
    }
    save_state(stack);  // refuses numbers that are not finite
  }
}

TEST(SoftmaxStack, ResumesExactly) {
  for (const std::size_t classes : {3u, 20u}) {
    SoftmaxStack whole(0.99, 1, classes), part(0.99, 1, classes);
    for (std::uint64_t i = 0; i < 70; ++i) {
      const Example example = draw(i, classes, 2, 1);
      whole.learn(example.logs, example.y);
      SoftmaxStack next(0.99, 1, classes);
      load_state(next, save_state(part));
      part = next;
      part.learn(example.logs, example.y);
    }
    EXPECT_EQ(save_state(whole), save_state(part));
  }
}

TEST(SoftmaxStack, RefusesStateThatLearningCannotReach) {
  SoftmaxStack stack(0.99, 1, 3);
  const Tensors state = save_state(stack);
  for (const auto& [tensor, wrong] : {std::pair{0, 1e4}, {1, -1.0}}) {
    Tensors changed = state;
    std::memcpy(changed[static_cast<std::size_t>(tensor)].bytes.data(), &wrong, sizeof wrong);
    test::expect_error(ErrorKind::model_file, {}, [&] { load_state(stack, changed); });
  }
}

}  // namespace
}  // namespace plumbline::softmax_stack_test
