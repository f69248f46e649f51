#include "plumbline/metrics/multiclass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/error.h"
#include "plumbline/math/rng.h"
#include "plumbline/metrics.h"
#include "tests/support.h"

namespace plumbline::multiclass_test {
namespace {

using test::expect_error;

MulticlassMetrics metrics_of(std::size_t classes, const std::vector<double>& probabilities,
                             const std::vector<Label>& labels) {
  MulticlassMetrics metrics;
  metrics.grow(classes);
  metrics.observe(probabilities, labels);
  return metrics;
}

TEST(MulticlassMetrics, AreTheFormulas) {
  // The second example is taken for class 0, of which it is not.
  const auto metrics = metrics_of(3, {0.5, 0.25, 0.25, 0.75, 0.25, 0}, {0, 1});
  EXPECT_DOUBLE_EQ(metrics.log_loss(), (std::log(2) + std::log(4)) / 2);
  EXPECT_DOUBLE_EQ(metrics.brier(), ((0.25 + 0.125) + (0.5625 + 0.5625)) / 2);
  EXPECT_DOUBLE_EQ(metrics.accuracy(), 0.5);
  EXPECT_EQ(metrics.confusion(0, 0), 1u);
  EXPECT_EQ(metrics.confusion(1, 0), 1u);
  EXPECT_EQ(metrics.confusion(1, 1), 0u);
  EXPECT_EQ(metrics.count(0), 1u);
  EXPECT_EQ(metrics.count(2), 0u);
  EXPECT_DOUBLE_EQ(metrics.base_log_loss(), std::log(2));
  EXPECT_DOUBLE_EQ(metrics.base_accuracy(), 0.5);
  // Class 0: |0.5 - 1| and |0.75 - 0|; class 1: both in the bin from 3/15: |0.25 + 0.25 - 1|.
  EXPECT_DOUBLE_EQ(metrics.calibration_error(0), (0.5 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(metrics.calibration_error(1), 0.5 / 2);
  EXPECT_DOUBLE_EQ(metrics.calibration_error(2), 0.25 / 2);
  EXPECT_DOUBLE_EQ(metrics.calibration_error(), (0.625 + 0.25 + 0.125) / 3);
}

TEST(MulticlassMetrics, ObserveReturnsTheLossesOfItsOwnExamples) {
  MulticlassMetrics metrics;
  metrics.grow(3);
  metrics.observe(std::vector{1.0, 0.0, 0.0}, std::vector<Label>{2});
  const auto sums =
      metrics.observe(std::vector{0.5, 0.25, 0.25, 0.75, 0.25, 0.0}, std::vector<Label>{0, 1});
  EXPECT_DOUBLE_EQ(sums.log_loss, std::log(2) + std::log(4));
  EXPECT_DOUBLE_EQ(sums.brier, (0.25 + 0.125) + (0.5625 + 0.5625));
}

TEST(MulticlassMetrics, AreFiniteForACertainMistake) {
  const auto metrics = metrics_of(3, {1, 0, 0}, {2});
  EXPECT_NEAR(metrics.log_loss(), -std::log(1e-15), 1e-9);  // the clip, rounded
  EXPECT_DOUBLE_EQ(metrics.brier(), 2);
}

TEST(MulticlassMetrics, OfTwoClassesAreTheBinaryOnes) {
  Rng rng(2, 0, 0);
  std::vector<double> positive, both;
  std::vector<Label> labels;
  for (int i = 0; i < 500; ++i) {
    positive.push_back(rng.uniform());
    both.insert(both.end(), {1 - positive.back(), positive.back()});
    labels.push_back(static_cast<Label>(rng.below(2)));
  }
  const auto several = metrics_of(2, both, labels);
  const auto value = [&](const char* name) {
    const auto metric = metrics().make(name);
    metric->observe(positive, labels);
    return *metric->value();
  };
  // Sums in another order.
  EXPECT_NEAR(several.log_loss(), value("log_loss"), 1e-12);
  EXPECT_NEAR(several.brier(), 2 * value("brier"), 1e-12);
  EXPECT_NEAR(several.calibration_error(1), value("calibration_error"), 1e-12);
  EXPECT_DOUBLE_EQ(several.accuracy(), value("accuracy"));
}

TEST(MulticlassMetrics, CountALaterClassAsOneThatHadTheProbabilityZero) {
  MulticlassMetrics grown;
  grown.grow(2);
  grown.observe(std::vector{0.25, 0.75, 0.5, 0.5}, std::vector<Label>{1, 0});
  grown.grow(3);
  grown.observe(std::vector{0.5, 0.25, 0.25}, std::vector<Label>{2});
  const auto whole = metrics_of(3, {0.25, 0.75, 0, 0.5, 0.5, 0, 0.5, 0.25, 0.25}, {1, 0, 2});
  EXPECT_DOUBLE_EQ(grown.log_loss(), whole.log_loss());
  EXPECT_DOUBLE_EQ(grown.brier(), whole.brier());
  EXPECT_DOUBLE_EQ(grown.accuracy(), whole.accuracy());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(grown.calibration_error(k), whole.calibration_error(k)) << k;
    EXPECT_EQ(grown.confusion(2, k), whole.confusion(2, k));
  }
}

TEST(MulticlassMetrics, RefuseWhatIsNoPredictionAndCountNothing) {
  MulticlassMetrics metrics;
  metrics.grow(3);
  const std::vector<Label> one{0}, wrong{3};
  const auto observe = [&](std::vector<double> p, const std::vector<Label>& labels) {
    return [&metrics, p, labels] { metrics.observe(p, labels); };
  };
  expect_error(ErrorKind::data, {"2 probabilities", "1 labels of 3"}, observe({0.5, 0.5}, one));
  expect_error(ErrorKind::data, {"prediction 1", "not a probability"},
               observe({0.5, std::nan(""), 0.5}, one));
  expect_error(ErrorKind::data, {"prediction 1", "-0.5"}, observe({-0.5, 1, 0.5}, one));
  expect_error(ErrorKind::data, {"the label 3 is not one of 3"}, observe({0.5, 0.25, 0.25}, wrong));
  EXPECT_EQ(metrics.examples(), 0u);
  EXPECT_EQ(metrics.log_loss(), 0);
  EXPECT_EQ(metrics.base_accuracy(), 0);
}

TEST(Likeliest, IsTheFirstOfEqualOnes) { EXPECT_EQ(likeliest(std::vector{0.2, 0.4, 0.4}), 1u); }

}  // namespace
}  // namespace plumbline::multiclass_test
