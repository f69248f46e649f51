#include "plumbline/metrics/consistency.h"

#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "plumbline/error.h"
#include "plumbline/math/rng.h"

namespace plumbline::consistency_test {
namespace {

// Forecasts between 0 and 1, many of them near the ends, and labels with probability truth(forecast).
struct Sample {
  std::vector<double> forecasts;
  std::vector<Label> labels;
};

Sample sample(std::size_t size, std::uint64_t seed, const std::function<double(double)>& truth) {
  Rng rng(seed, 77, 0);
  Sample result;
  for (std::size_t i = 0; i < size; ++i) {
    const double u = rng.uniform();
    result.forecasts.push_back(u * u * (3 - 2 * u));
    result.labels.push_back(rng.uniform() < truth(result.forecasts.back()) ? 1 : 0);
  }
  return result;
}

double cases_inside(std::size_t size, const std::function<double(double)>& truth) {
  constexpr std::size_t kCases = 1000;
  std::size_t inside = 0;
  for (std::size_t seed = 0; seed < kCases; ++seed) {
    const Sample one = sample(size, seed, truth);
    if (consistency(one.forecasts, one.labels).inside()) ++inside;
  }
  return static_cast<double>(inside) / kCases;
}

double calibrated(double forecast) { return forecast; }
double overconfident(double forecast) { return 0.1 + 0.8 * forecast; }

// Of 1000 independent cases with probability 0.95 the share is within 0.95 ± 0.0225 but once in a
// thousand (3.3 standard deviations of 0.0069). The band's own probability is at least 0.95 and, as
// counts are whole numbers, up to 0.01 more.
TEST(Consistency, APerfectForecasterStaysInsideNineteenTimesInTwenty) {
  for (const std::size_t size : {500u, 3000u}) {
    const double share = cases_inside(size, calibrated);
    EXPECT_GT(share, 0.95 - 0.0225) << size;
    EXPECT_LT(share, 0.96 + 0.0225) << size;
  }
}

TEST(Consistency, AnOverconfidentForecasterFallsOutside) {
  EXPECT_LT(cases_inside(3000, overconfident), 0.01);
}

// One that is right below 0.5 and too high above it. The bin in the middle, of 0.44 to 0.56, may be
// either.
TEST(Consistency, CountsTheBinsOutside) {
  const Sample one =
      sample(15000, 1, [](double forecast) { return forecast < 0.5 ? forecast : 0.85 * forecast; });
  const Consistency result = consistency(one.forecasts, one.labels);
  ASSERT_EQ(result.bins.size(), 15u);
  std::size_t outside = 0;
  for (std::size_t b = 0; b < 15; ++b) {
    const ConsistencyBin& bin = result.bins[b];
    const bool inside = bin.simultaneous.holds(bin.bin.positive_rate);
    if (!inside) ++outside;
    if (b != 7) {
      EXPECT_EQ(inside, b < 7) << b;
    }
  }
  EXPECT_EQ(result.outside(), outside);
  EXPECT_FALSE(result.inside());
}

// A bin of n = 2 with forecasts 0.5 and 0.5: 0, 1 or 2 positives with probabilities 1/4, 1/2, 1/4. No
// count can be left out at 2.5 % a side.
TEST(Consistency, HoldsEveryCountOfATinyBin) {
  const Consistency result = consistency(std::vector<double>{0.5, 0.5}, std::vector<Label>{1, 1});
  ASSERT_EQ(result.bins.size(), 1u);
  EXPECT_EQ(result.bins[0].pointwise.low, 0);
  EXPECT_EQ(result.bins[0].pointwise.high, 1);
  EXPECT_EQ(result.calibration_error, 0.5);
}

// Ten fair coins: P(count <= 1) = 11/1024 = 1.07 %, P(count <= 2) = 56/1024 = 5.5 %. So 2.5 % a side
// leaves out 0, 1, 9 and 10.
TEST(Consistency, QuantilesOfTenFairCoins) {
  const std::vector<double> forecasts(10, 0.5);
  const std::vector<Label> labels{1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  const Consistency result = consistency(forecasts, labels);
  ASSERT_EQ(result.bins.size(), 1u);
  EXPECT_EQ(result.bins[0].pointwise.low, 0.2);
  EXPECT_EQ(result.bins[0].pointwise.high, 0.8);
  EXPECT_EQ(result.outside(), 1u);
  // With one bin, the whole curve is that bin.
  EXPECT_EQ(result.bins[0].simultaneous.low, 0.2);
}

// Forecasts 0.1 and 0.9 and 0.02: the count is 0 with 0.9·0.1·0.98 = 8.82 %, 3 with 0.18 %. So only 3
// is left out; a binomial with the same mean 0.34 would say 28.7 % and 3.9 %, and keep it.
TEST(Consistency, IsExactForUnequalForecasts) {
  const std::vector<double> forecasts{0.1, 0.9, 0.02};
  const Consistency result = consistency(forecasts, std::vector<Label>{1, 1, 1}, 1);
  ASSERT_EQ(result.bins.size(), 1u);
  EXPECT_EQ(result.bins[0].pointwise.low, 0);
  EXPECT_EQ(result.bins[0].pointwise.high, 2.0 / 3);
  EXPECT_FALSE(result.inside());
  const std::vector<Bin> bin{{.low = 0, .high = 1, .count = 3, .mean_probability = 1.02 / 3}};
  EXPECT_EQ(consistency(bin).bins[0].pointwise.high, 1);
}

TEST(Consistency, TheSimultaneousBandIsTheWiderOne) {
  const Sample one = sample(3000, 5, calibrated);
  for (const ConsistencyBin& bin : consistency(one.forecasts, one.labels).bins) {
    EXPECT_LE(bin.simultaneous.low, bin.pointwise.low);
    EXPECT_GE(bin.simultaneous.high, bin.pointwise.high);
    EXPECT_LT(bin.pointwise.low, bin.bin.mean_probability);
    EXPECT_GT(bin.pointwise.high, bin.bin.mean_probability);
  }
}

// Of 20 draws with probability 0.1: P(count = 0) = 12.2 %, P(count >= 5) = 4.3 %, P(count >= 6) = 1.1 %.
// So 2.5 % a side leaves out 6 and more, and the simultaneous band of one bin does the same, although
// 0 to 4 alone would have more than 95 %.
TEST(Consistency, TheSimultaneousBandLeavesOutNoMoreOnOneSideThanThePointwiseOne) {
  const std::vector<Bin> bin{{.low = 0.1, .high = 0.1, .count = 20, .mean_probability = 0.1}};
  for (const Consistency& result :
       {consistency(bin), consistency(std::vector<double>(20, 0.1), std::vector<Label>(20, 0))}) {
    ASSERT_EQ(result.bins.size(), 1u);
    for (const Band& band : {result.bins[0].pointwise, result.bins[0].simultaneous}) {
      EXPECT_EQ(band.low, 0);
      EXPECT_EQ(band.high, 5.0 / 20);
    }
  }
}

// Two bins of ten fair coins are within 2 to 8 with probability (1 - 22/1024)^2 = 95.7 %, which is
// enough; three are so with 93.7 %. Then 1 and 9 must be let in, and (1 - 2/1024)^3 = 99.4 %.
TEST(Consistency, TheSimultaneousBandIsJustSoWideThatAllBinsStayInside) {
  const Bin coins{.low = 0.5, .high = 0.5, .count = 10, .mean_probability = 0.5};
  const auto expect_bands = [&](std::size_t bins, double low, double high) {
    for (const ConsistencyBin& bin : consistency(std::vector<Bin>(bins, coins)).bins) {
      EXPECT_EQ(bin.pointwise.low, 0.2);
      EXPECT_EQ(bin.pointwise.high, 0.8);
      EXPECT_EQ(bin.simultaneous.low, low) << bins;
      EXPECT_EQ(bin.simultaneous.high, high) << bins;
    }
  };
  expect_bands(1, 0.2, 0.8);
  expect_bands(2, 0.2, 0.8);
  expect_bands(3, 0.1, 0.9);
}

// One to 15 bins that are alike, and bins of all kinds together.
TEST(Consistency, TheSimultaneousBandHoldsThePointwiseOne) {
  std::size_t wider = 0, as_wide = 0;
  const auto expect_held = [&](const std::vector<Bin>& bins) {
    for (const ConsistencyBin& one : consistency(bins).bins) {
      const Band &inner = one.pointwise, &outer = one.simultaneous;
      EXPECT_LE(outer.low, inner.low) << one.bin.count << " of " << one.bin.mean_probability;
      EXPECT_GE(outer.high, inner.high) << one.bin.count << " of " << one.bin.mean_probability;
      ++(outer.low < inner.low || outer.high > inner.high ? wider : as_wide);
    }
  };
  std::vector<Bin> all;
  for (const std::uint64_t count : {1u, 2u, 5u, 10u, 20u, 50u, 100u, 1000u, 100000u}) {
    for (const double p : {0.0, 0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.0}) {
      const Bin bin{.low = p, .high = p, .count = count, .mean_probability = p};
      for (const std::size_t bins : {1u, 2u, 3u, 7u, 15u}) expect_held(std::vector<Bin>(bins, bin));
      all.push_back(bin);
    }
  }
  expect_held(all);
  EXPECT_GT(wider, 100u);
  EXPECT_GT(as_wide, 100u);
}

TEST(Consistency, BinsHaveEqualMassAndKeepTiesTogether) {
  std::vector<double> forecasts(30);
  std::iota(forecasts.begin(), forecasts.end(), 1);
  for (double& forecast : forecasts) forecast /= 32;
  const std::vector<Label> labels(30, 1);
  const Consistency distinct = consistency(forecasts, labels);
  ASSERT_EQ(distinct.bins.size(), 15u);
  for (const ConsistencyBin& bin : distinct.bins) EXPECT_EQ(bin.bin.count, 2u);

  // 20 of 30 alike: they are one bin, with what else fell before the next cut.
  std::fill(forecasts.begin() + 5, forecasts.begin() + 25, 0.5);
  const Consistency tied = consistency(forecasts, labels);
  std::size_t holding = 0;
  std::uint64_t count = 0;
  for (const ConsistencyBin& bin : tied.bins) {
    count += bin.bin.count;
    if (bin.bin.low <= 0.5 && bin.bin.high >= 0.5) {
      ++holding;
      EXPECT_GE(bin.bin.count, 20u);
    }
  }
  EXPECT_EQ(holding, 1u);
  EXPECT_EQ(count, 30u);
}

TEST(Consistency, CertaintiesMustComeTrue) {
  const std::vector<double> forecasts{0, 0, 0, 1, 1, 1};
  const std::vector<Label> right{0, 0, 0, 1, 1, 1}, wrong{0, 0, 0, 1, 0, 1};
  EXPECT_TRUE(consistency(forecasts, right).inside());
  EXPECT_EQ(consistency(forecasts, wrong).outside(), 1u);
}

TEST(Consistency, OfNothingIsEmpty) {
  const Consistency result = consistency(std::vector<double>{}, std::vector<Label>{});
  EXPECT_TRUE(result.bins.empty());
  EXPECT_TRUE(result.inside());
  EXPECT_EQ(result.calibration_error, 0);
  EXPECT_TRUE(consistency(std::vector<Bin>(15)).bins.empty());
}

TEST(Consistency, RefusesWhatIsNoForecast) {
  const std::vector<Label> label{1};
  EXPECT_THROW(consistency(std::vector<double>{1.5}, label), Error);
  EXPECT_THROW(consistency(std::vector<double>{0.5, 0.5}, label), Error);
}

// From counts and means alone: the same as exactly where the forecasts of a bin are equal, and never
// narrower elsewhere.
TEST(Consistency, OfCountsAndMeansIsTheSameForEqualForecastsAndWiderForOthers) {
  const std::vector<double> forecasts(2000, 0.3);
  const std::vector<Label> labels(2000, 0);
  const Consistency exact = consistency(forecasts, labels);
  const Consistency approximate = consistency(std::vector<Bin>{exact.bins[0].bin});
  EXPECT_EQ(approximate.bins[0].pointwise.low, exact.bins[0].pointwise.low);
  EXPECT_EQ(approximate.bins[0].pointwise.high, exact.bins[0].pointwise.high);

  const Sample one = sample(3000, 9, calibrated);
  const Consistency fine = consistency(one.forecasts, one.labels);
  std::vector<Bin> bins;
  for (const ConsistencyBin& bin : fine.bins) bins.push_back(bin.bin);
  const Consistency coarse = consistency(bins);
  for (std::size_t b = 0; b < bins.size(); ++b) {
    EXPECT_LE(coarse.bins[b].pointwise.low, fine.bins[b].pointwise.low);
    EXPECT_GE(coarse.bins[b].pointwise.high, fine.bins[b].pointwise.high);
  }
}

// 10^12 forecasts of 0.25: within 1.96 standard deviations of sqrt(0.1875e12) = 433,013, by the normal
// approximation, whose error is of the order of one count.
TEST(Consistency, OfATrillionForecasts) {
  const std::vector<Bin> bin{
      {.low = 0, .high = 1, .count = 1'000'000'000'000, .mean_probability = 0.25}};
  const Band band = consistency(bin).bins[0].pointwise;
  EXPECT_NEAR((0.25 - band.low) * 1e12, 1.959964 * 433012.7, 2);
  EXPECT_NEAR((band.high - 0.25) * 1e12, 1.959964 * 433012.7, 2);
}

}  // namespace
}  // namespace plumbline::consistency_test
