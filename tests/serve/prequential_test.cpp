#include "serve/prequential.h"

#include <cmath>

#include <gtest/gtest.h>

namespace plumbline::serve {
namespace {

Prequential::Observation observation(std::uint64_t number, std::span<const double> p,
                                     std::size_t label, std::optional<double> delay = {}) {
  return {number, "id", std::to_string(label), label, p, delay, 5.0};
}

TEST(Prequential, OfTwoClassesByHand) {
  Prequential metrics;
  const double first = 0.8, second = 0.3, third = 0.6;
  metrics.observe(observation(1, {&first, 1}, 1, 0.05));
  metrics.observe(observation(2, {&second, 1}, 0, 100));
  metrics.observe(observation(3, {&third, 1}, 0));
  const Prequential::Summary all = metrics.all();
  EXPECT_EQ(all.labels, 3u);
  EXPECT_DOUBLE_EQ(all.log_loss, -(std::log(0.8) + std::log(1 - 0.3) + std::log(1 - 0.6)) / 3);
  EXPECT_NEAR(all.brier, (0.04 + 0.09 + 0.36) / 3, 1e-15);  // rounding of the squares
  EXPECT_DOUBLE_EQ(all.accuracy, 2.0 / 3);
  EXPECT_NEAR(all.calibration_error, (0.2 + 0.3 + 0.6) / 3, 1e-15);
  EXPECT_DOUBLE_EQ(*all.positive_share, 1.0 / 3);
  EXPECT_EQ(metrics.predicted(), 2u);
  EXPECT_EQ(metrics.delays().counts[1], 1u);
  EXPECT_EQ(metrics.delays().counts[5], 1u);
}

TEST(Prequential, AClassThatWasNotThereHadNoProbability) {
  Prequential metrics;
  const std::array<double, 3> p{0.2, 0.5, 0.3};
  metrics.observe(observation(1, p, 2));
  metrics.observe(observation(2, p, 3));
  EXPECT_DOUBLE_EQ(metrics.all().log_loss, -(std::log(0.3) + std::log(1e-15)) / 2);
  EXPECT_DOUBLE_EQ(metrics.all().accuracy, 0);
  EXPECT_FALSE(metrics.all().positive_share);
}

TEST(Prequential, TheLastThousandAreRecent) {
  Prequential metrics;
  const double bad = 0.9, good = 0.1;
  for (std::uint64_t i = 0; i < 500; ++i) metrics.observe(observation(i, {&bad, 1}, 0));
  for (std::uint64_t i = 0; i < 1000; ++i) metrics.observe(observation(i, {&good, 1}, 0));
  EXPECT_EQ(metrics.recent().labels, 1000u);
  EXPECT_NEAR(metrics.recent().log_loss, -std::log(0.9), 1e-12);  // a sum of 1000
  EXPECT_GT(metrics.all().log_loss, 0.7);
}

TEST(Prequential, StateIsRestoredAndContinuesAlike) {
  Prequential one;
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    const double p = static_cast<double>(i % 97) / 97;
    one.count(i % 3 == 0 ? Action::train : Action::both);
    one.observe(
        observation(i, {&p, 1}, i % 2, i % 5 == 0 ? std::optional<double>(0.1) : std::nullopt));
    if (i == 4000) {
      Prequential two;
      two.restore(parse_json(print_json(one.state())));
      EXPECT_EQ(two.state(), one.state());
      one = two;
    }
  }
  Json json;
  one.describe(json);
  EXPECT_LE(json["curve"].size(), Prequential::kCurve);
  std::uint64_t labels = 0, actions = 0;
  for (const Json& stretch : json["curve"]) {
    labels += stretch["labels"].get<std::uint64_t>();
    for (const Json& count : stretch["actions"]) actions += count.get<std::uint64_t>();
  }
  EXPECT_EQ(labels, 5000u);
  EXPECT_EQ(actions, 5000u);
  EXPECT_EQ(json["last"].size(), Prequential::kLast);
}

}  // namespace
}  // namespace plumbline::serve
