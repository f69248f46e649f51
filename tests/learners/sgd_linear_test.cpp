#include "plumbline/learners/sgd_linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plumbline/learner.h"
#include "tests/support.h"

// Equality with scikit-learn is tested in tests/oracle.

namespace plumbline::sgd_linear_test {
namespace {

double margin(const Learner& learner, std::initializer_list<double> x) {
  double result = 0;
  const std::vector<double> row(x);
  learner.margins({row, 1, row.size()}, {&result, 1});
  return result;
}

void learn(Learner& learner, const Minibatch& batch, double weight,
           Weighting weighting = Weighting::importance) {
  const std::vector<double> weights(batch.rows(), weight);
  std::vector<Label> votes(batch.rows());
  learner.learn_each(batch.examples(), weights, {.weighting = weighting}, votes);
}

TEST(SgdLinear, LogisticStepFollowsTheGradientOfTheLogLoss) {
  const auto learner = learners().make("logistic:penalty=none,learning_rate=constant,eta0=0.1", 2);
  learn(*learner, test::rows({{{1, 2}, 1}}), 1);
  // At w = 0 the gradient is -1/2: w = 0.05 x, b = 0.05.
  EXPECT_DOUBLE_EQ(margin(*learner, {1, 0}), 0.1);
  EXPECT_DOUBLE_EQ(margin(*learner, {0, 1}), 0.15);
  EXPECT_DOUBLE_EQ(margin(*learner, {0, 0}), 0.05);
}

TEST(SgdLinear, HingeMovesInsideTheMarginAndPerceptronOnMistakesOnly) {
  const auto svm = learners().make("linear_svm:penalty=none,learning_rate=constant,eta0=0.4", 1);
  const auto perceptron = learners().make("perceptron:eta0=0.4", 1);
  const Minibatch positive = test::rows({{{1}, 1}});
  for (Learner* learner : {svm.get(), perceptron.get()}) learn(*learner, positive, 1);
  EXPECT_DOUBLE_EQ(margin(*svm, {1}), 0.8);
  EXPECT_DOUBLE_EQ(margin(*perceptron, {1}), 0.8);
  for (Learner* learner : {svm.get(), perceptron.get()}) learn(*learner, positive, 1);
  EXPECT_DOUBLE_EQ(margin(*svm, {1}), 1.6);         // 0.8 is inside the margin
  EXPECT_DOUBLE_EQ(margin(*perceptron, {1}), 0.8);  // but it is no mistake
  learn(*svm, positive, 1);
  EXPECT_DOUBLE_EQ(margin(*svm, {1}), 1.6);
}

TEST(SgdLinear, TheOptimalRateFallsWithTheExamplesSeenAlsoWithThoseOfWeightZero) {
  const auto learner = learners().make("logistic:penalty=none,alpha=0.01", 1);
  const Minibatch row = test::rows({{{0}, 1}});
  learn(*learner, row, 0);
  learn(*learner, row, 0);
  EXPECT_EQ(margin(*learner, {0}), 0);
  learn(*learner, row, 1);
  const double eta = 1 / (0.01 * (std::pow(0.01, -0.75) + 2));
  EXPECT_DOUBLE_EQ(margin(*learner, {0}), eta / 2);
}

TEST(SgdLinear, L2ShrinksTheWeightsButNotTheIntercept) {
  const auto learner =
      learners().make("perceptron:penalty=l2,alpha=0.1,learning_rate=constant,eta0=1", 1);
  const Minibatch row = test::rows({{{1}, 1}});
  learn(*learner, row, 1);
  learn(*learner, row, 1);  // right: shrinks, no step
  EXPECT_DOUBLE_EQ(margin(*learner, {1}), 1 + 0.9);
  EXPECT_DOUBLE_EQ(margin(*learner, {0}), 1);
}

TEST(SgdLinear, L1MovesWeightsToZeroAndNotBeyond) {
  const auto learner =
      learners().make("perceptron:penalty=l1,alpha=0.3,learning_rate=constant,eta0=1", 1);
  const Minibatch row = test::rows({{{1}, 1}});
  learn(*learner, row, 1);
  EXPECT_DOUBLE_EQ(margin(*learner, {1}), 1.7);
  for (int i = 0; i < 10; ++i) learn(*learner, row, 1);
  EXPECT_DOUBLE_EQ(margin(*learner, {1}), 1);
}

TEST(SgdLinear, WithoutMemoryAWeightOwesNothingFromBefore) {
  const auto after = [](const char* spec) {
    const auto learner = learners().make(spec, 1);
    learn(*learner, test::rows({{{0}, 1}}), 1);  // nothing to pay with
    learn(*learner, test::rows({{{1}, 0}}), 1);  // wrong: the weight becomes -1, then pays
    return margin(*learner, {1}) - margin(*learner, {0});
  };
  const std::string spec = "perceptron:penalty=l1,alpha=0.3,learning_rate=constant,eta0=1";
  EXPECT_DOUBLE_EQ(after((spec + ",l1_memory=false").c_str()), -0.7);
  EXPECT_DOUBLE_EQ(after((spec + ",l1_memory=true").c_str()), -0.4);
}

TEST(SgdLinear, RepetitionsAreUpdatesOfWeightOne) {
  const Minibatch row = test::rows({{{1, -1}, 0}});
  const auto three = learners().make("logistic", 2), once = learners().make("logistic", 2);
  const auto weighted = learners().make("logistic", 2);
  for (int i = 0; i < 3; ++i) learn(*three, row, 1);
  learn(*once, row, 3, Weighting::repetitions);
  learn(*weighted, row, 3, Weighting::importance);
  EXPECT_EQ(save_state(*once), save_state(*three));
  EXPECT_NE(save_state(*weighted), save_state(*three));
}

TEST(SgdLinear, RepetitionsStopAtTenThousand) {
  const Minibatch row = test::rows({{{1, -1}, 0}});
  const auto many = learners().make("logistic", 2), enough = learners().make("logistic", 2);
  learn(*many, row, 1e12, Weighting::repetitions);
  learn(*enough, row, 10000, Weighting::repetitions);
  EXPECT_EQ(save_state(*many), save_state(*enough));
}

TEST(SgdLinear, SeparatesASeparableStream) {
  for (const char* spec : {"logistic", "linear_svm", "perceptron", "logistic:penalty=l1"}) {
    const auto learner = learners().make(spec, 2);
    for (int i = 0; i < 200; ++i) {
      const double x = i % 10 - 4.5;
      learn(*learner, test::rows({{{x, 1}, static_cast<Label>(x > 0)}}), 1);
    }
    EXPECT_GT(margin(*learner, {2, 1}), 0) << spec;
    EXPECT_LT(margin(*learner, {-2, 1}), 0) << spec;
  }
}

TEST(SgdLinear, VotesAreTakenAfterOrBeforeTheUpdate) {
  const Minibatch batch = test::rows({{{1}, 1}});
  const double weight = 1;
  Label vote = 9;
  learners().make("perceptron", 1)->learn_each(batch.examples(), {&weight, 1}, {}, {&vote, 1});
  EXPECT_EQ(vote, 1);
  learners()
      .make("perceptron", 1)
      ->learn_each(batch.examples(), {&weight, 1}, {.correctness = Correctness::before_update},
                   {&vote, 1});
  EXPECT_EQ(vote, 0);
}

TEST(SgdLinear, RefusesAStateWhoseStepsAreNotCountedFromOne) {
  const auto learner = learners().make("logistic", 1);
  Tensors state = save_state(*learner);
  for (Tensor& tensor : state) {
    const double zero = 0;
    if (tensor.name == "step") std::memcpy(tensor.bytes.data(), &zero, sizeof zero);
  }
  test::expect_error(ErrorKind::model_file, {"'step'", "not in [1, "},
                     [&] { load_state(*learner, state); });
}

}  // namespace
}  // namespace plumbline::sgd_linear_test
