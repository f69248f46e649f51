#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/core/loss.h"
#include "plumbline/core/rng.h"
#include "plumbline/metrics/registry.h"
#include "plumbline/metrics/reliability.h"
#include "tests/support.h"

namespace plumbline {
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

TEST(Reliability, HoldsBothEndsOfTheUnitInterval) {
  EXPECT_EQ(bin_of(0, 15), 0u);
  EXPECT_EQ(bin_of(1, 15), 14u);
  EXPECT_EQ(bin_of(1 - 1e-16, 15), 14u);
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
}  // namespace plumbline
