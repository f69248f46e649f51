#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "plumbline/math/logit_bins.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/auc.h"
#include "plumbline/metrics/reliability.h"
#include "tests/support.h"

namespace plumbline::metrics_test {
namespace {

const std::vector<double> kProbabilities{0.1, 0.9, 0.6, 0.5, 0.3};
const std::vector<Label> kLabels{0, 1, 0, 1, 0};

double value(const Spec& spec) {
  const auto metric = metrics().make(spec);
  // In two pieces: a metric must not care.
  metric->observe(std::span(kProbabilities).first(2), std::span(kLabels).first(2));
  metric->observe(std::span(kProbabilities).subspan(2), std::span(kLabels).subspan(2));
  return metric->value().value();
}

TEST(Metrics, AreMeansOverAllPredictions) {
  const double log_loss =
      -(std::log(0.9) + std::log(0.9) + std::log(0.4) + std::log(0.5) + std::log(0.7)) / 5;
  EXPECT_NEAR(value("log_loss"), log_loss, 1e-15);
  EXPECT_NEAR(value("brier"), (0.01 + 0.01 + 0.36 + 0.25 + 0.09) / 5, 1e-15);
  EXPECT_DOUBLE_EQ(value("accuracy"), 3.0 / 5);  // 0.5 counts as negative
  EXPECT_DOUBLE_EQ(value("cost:false_positive=2,false_negative=10"), 2.0 * 2 / 5);
}

TEST(Metrics, AWindowForgetsWhatLiesBeforeIt) {
  EXPECT_NEAR(value("brier:window=2"), (0.25 + 0.09) / 2, 1e-15);
  EXPECT_NEAR(value("brier:window=5"), value("brier"), 1e-15);
  EXPECT_NEAR(value("brier:window=100"), value("brier"), 1e-15);
  EXPECT_DOUBLE_EQ(value("accuracy:window=1"), 1);
}

TEST(Metrics, HaveNoValueBeforeTheFirstExample) {
  for (const auto& row : metrics().rows()) {
    EXPECT_FALSE(metrics().make(Spec(row.name))->value().has_value()) << row.name;
  }
}

TEST(DecisionRate, CountsHowTheDecisionsTurnedOut) {
  // At 1/2: 0.9 and 0.6 are alarms, 0.6 a false one; 0.5 is a miss.
  EXPECT_DOUBLE_EQ(value("recall"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(value("precision"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(value("f1"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(value("balanced_accuracy"), (1.0 / 2 + 2.0 / 3) / 2);
  // At 1/5: only 0.1 is none.
  EXPECT_DOUBLE_EQ(value("recall:false_negative=4"), 1);
  EXPECT_DOUBLE_EQ(value("precision:false_negative=4"), 2.0 / 4);
  EXPECT_DOUBLE_EQ(value("f1:false_negative=4"), 4.0 / 6);
  EXPECT_DOUBLE_EQ(value("balanced_accuracy:false_negative=4"), (1 + 1.0 / 3) / 2);
}

TEST(DecisionRate, AWindowForgetsWhatLiesBeforeIt) {
  EXPECT_DOUBLE_EQ(value("recall:window=2"), 0);  // 0.5 is a miss, 0.3 a negative
  EXPECT_DOUBLE_EQ(value("balanced_accuracy:window=3"), (0 + 1.0 / 2) / 2);
  EXPECT_DOUBLE_EQ(value("f1:window=5"), value("f1"));
  EXPECT_DOUBLE_EQ(value("f1:window=100"), value("f1"));
}

TEST(DecisionRate, HasNoValueWithoutADivisor) {
  const auto after = [](const char* spec, double probability, Label label) {
    const auto metric = metrics().make(spec);
    metric->observe({&probability, 1}, {&label, 1});
    return metric->value();
  };
  EXPECT_FALSE(after("recall", 0.9, 0).has_value());
  EXPECT_FALSE(after("precision", 0.1, 1).has_value());
  EXPECT_FALSE(after("f1", 0.1, 0).has_value());
  EXPECT_FALSE(after("balanced_accuracy", 0.1, 0).has_value());
  EXPECT_EQ(after("recall", 0.1, 1), 0);
}

// By looking at every pair.
double exact_auc(const std::vector<double>& probabilities, const std::vector<Label>& labels) {
  double above = 0, pairs = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[i] != 1 || labels[j] != 0) continue;
      pairs += 1;
      if (probabilities[i] > probabilities[j]) above += 1;
      if (probabilities[i] == probabilities[j]) above += 0.5;
    }
  }
  return above / pairs;
}

TEST(Auc, IsTheShareOfPairsInTheRightOrder) {
  EXPECT_DOUBLE_EQ(value("auc"), 5.0 / 6);  // 0.5 lies below 0.6
  const auto certain = metrics().make("auc");
  certain->observe(std::vector<double>{0, 1, 1, 0}, std::vector<Label>{0, 1, 0, 1});
  EXPECT_EQ(certain->value(), 0.5);
  const auto one_class = metrics().make("auc");
  one_class->observe(std::vector<double>{0.2, 0.3}, std::vector<Label>{1, 1});
  EXPECT_FALSE(one_class->value().has_value());
}

// sum_b P_b N_b / (2 P N) over the metric's bins.
double auc_error_bound(const std::vector<double>& probabilities, const std::vector<Label>& labels) {
  std::vector<double> counts[2] = {std::vector<double>(kLogitBins),
                                   std::vector<double>(kLogitBins)};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    counts[labels[i]][logit_bin(limited_logit(probabilities[i]))] += 1;
  }
  const double positives = std::accumulate(counts[1].begin(), counts[1].end(), 0.0);
  const double negatives = std::accumulate(counts[0].begin(), counts[0].end(), 0.0);
  return std::inner_product(counts[1].begin(), counts[1].end(), counts[0].begin(), 0.0) /
         (2 * positives * negatives);
}

TEST(Auc, IsWithinItsBoundAlsoWhereProbabilitiesCrowd) {
  for (const double scale : {1.0, 1e-3, 1e-9}) {
    std::vector<double> probabilities;
    std::vector<Label> labels;
    Rng rng(1, 0, 0);
    for (int i = 0; i < 2000; ++i) {
      const double u = rng.uniform();
      probabilities.push_back(u * scale);
      labels.push_back(rng.uniform() < u * u ? 1 : 0);
    }
    Auc metric;
    metric.observe(probabilities, labels);
    const double error = std::abs(*metric.value() - exact_auc(probabilities, labels));
    const double bound = auc_error_bound(probabilities, labels);
    EXPECT_LE(error, bound + 1e-12) << scale;  // and the rounding of the sums
    EXPECT_LT(bound, 0.01) << scale;
  }
}

TEST(Reliability, GroupsPredictionsIntoEqualBins) {
  const auto metric = metrics().make("calibration_error:bins=5");
  metric->observe(kProbabilities, kLabels);
  const std::vector<Bin> bins = metric->bins();
  ASSERT_EQ(bins.size(), 5u);
  EXPECT_EQ(bins[0].count, 1u);  // 0.1
  EXPECT_EQ(bins[1].count, 1u);  // 0.3
  EXPECT_EQ(bins[2].count, 1u);  // 0.5
  EXPECT_EQ(bins[3].count, 1u);  // 0.6
  EXPECT_EQ(bins[4].count, 1u);  // 0.9
  EXPECT_DOUBLE_EQ(bins[2].low, 0.4);
  EXPECT_DOUBLE_EQ(bins[2].high, 0.6);
  EXPECT_DOUBLE_EQ(bins[2].mean_probability, 0.5);
  EXPECT_DOUBLE_EQ(bins[2].positive_rate, 1);
  EXPECT_NEAR(*metric->value(), (0.1 + 0.3 + 0.5 + 0.6 + 0.1) / 5, 1e-15);
}

TEST(Reliability, AWindowForgetsWhatLiesBeforeIt) {
  EXPECT_NEAR(value("calibration_error:bins=5,window=2"), (0.5 + 0.3) / 2, 1e-15);
  EXPECT_NEAR(value("calibration_error:bins=5,window=5"), value("calibration_error:bins=5"), 1e-15);
  const auto metric = metrics().make("calibration_error:bins=5,window=2");
  metric->observe(kProbabilities, kLabels);
  std::uint64_t counted = 0;
  for (const Bin& bin : metric->bins()) counted += bin.count;
  EXPECT_EQ(counted, 2u);
}

TEST(Metrics, RefuseWhatIsNoPredictionAndCountNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& row : metrics().rows()) {
    const auto metric = metrics().make(Spec(row.name));
    metric->observe(kProbabilities, kLabels);
    const Tensors before = save_state(*metric);
    for (const double bad : {nan, -0.1, 1.1}) {
      test::expect_error(ErrorKind::data, {"prediction 2", "not a probability"}, [&] {
        metric->observe(std::vector<double>{0.5, bad}, std::vector<Label>{0, 1});
      });
    }
    test::expect_error(ErrorKind::data, {"prediction 1", "label 2"},
                       [&] { metric->observe(std::vector<double>{0.5}, std::vector<Label>{2}); });
    test::expect_error(ErrorKind::data, {"1 probabilities", "2 labels"}, [&] {
      metric->observe(std::vector<double>{0.5}, std::vector<Label>{0, 1});
    });
    EXPECT_EQ(save_state(*metric), before) << row.name;
  }
}

TEST(Reliability, ACalibratedForecasterHasASmallErrorAndADistortedOneALargeOne) {
  const auto honest = metrics().make("calibration_error"),
             sharp = metrics().make("calibration_error");
  Rng rng(1, 0, 0);
  for (int i = 0; i < 100000; ++i) {
    const double p = rng.uniform();
    const Label y = rng.uniform() < p ? 1 : 0;
    const double distorted = sigmoid(4 * (p - 0.5) * 3);
    honest->observe({&p, 1}, {&y, 1});
    sharp->observe({&distorted, 1}, {&y, 1});
  }
  EXPECT_LT(*honest->value(), 0.01);
  EXPECT_GT(*sharp->value(), 0.1);
}

TEST(ScoreHistogram, CountsScoresAndHasNoValue) {
  const auto metric = metrics().make("score_histogram:bins=2");
  metric->observe(kProbabilities, kLabels);
  EXPECT_EQ(metric->bins()[0].count, 2u);
  EXPECT_EQ(metric->bins()[1].count, 3u);
  EXPECT_FALSE(metric->value().has_value());
}

}  // namespace
}  // namespace plumbline::metrics_test
