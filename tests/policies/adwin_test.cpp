#include "plumbline/policies/adwin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <numeric>

#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::adwin_test {
namespace {

double bernoulli(Rng& rng, double mean) { return rng.uniform() < mean ? 1 : 0; }

// Keeps every value, and looks at every split, with the means and the variance taken from scratch.
class EverySplit {
 public:
  explicit EverySplit(double delta) : delta_(delta) {}

  bool add(double value) {
    window.push_back(value);
    bool shrank = false;
    while (has_changed()) {
      window.pop_front();
      shrank = true;
    }
    return shrank;
  }

  double mean() const { return sum() / static_cast<double>(window.size()); }
  double variance() const {
    const double center = mean();
    double spread = 0;
    for (const double value : window) spread += (value - center) * (value - center);
    return spread / static_cast<double>(window.size());
  }

  std::deque<double> window;

 private:
  double sum() const { return std::accumulate(window.begin(), window.end(), 0.0); }

  bool has_changed() const {
    const auto n = static_cast<double>(window.size());
    const double log_term = std::log(2 * std::log(n) / delta_), v = variance(), all = sum();
    double old = 0, old_sum = 0;
    for (const double value : window) {
      old += 1;
      old_sum += value;
      if (old < 5 || n - old < 5) continue;
      const double m = 1 / (1 / old + 1 / (n - old));
      const double cut = std::sqrt(2 / m * v * log_term) + 2 / (3 * m) * log_term;
      if (std::abs(old_sum / old - (all - old_sum) / (n - old)) > cut) return true;
    }
    return false;
  }

  double delta_;
};

// With more buckets than values every bucket is a single value, and nothing is approximated.
TEST(Adwin, WithABucketForEachValueLooksAtEverySplit) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Adwin adwin({.delta = 0.05, .buckets = 300});
    EverySplit reference(0.05);
    Rng rng(seed, 0, 0);
    int cuts = 0;
    for (int i = 0; i < 300; ++i) {
      const double value = i < 150 ? 0.4 * rng.uniform() : 0.2 + 0.8 * rng.uniform();
      const bool shrank = adwin.add(value);
      ASSERT_EQ(shrank, reference.add(value)) << seed << " " << i;
      ASSERT_EQ(adwin.width(), reference.window.size()) << seed << " " << i;
      ASSERT_NEAR(adwin.mean(), reference.mean(), 1e-12);
      ASSERT_NEAR(adwin.variance(), reference.variance(), 1e-12);
      cuts += shrank ? 1 : 0;
    }
    EXPECT_GT(cuts, 0);
  }
}

// Buckets hide splits: the first change is never found before it shows between some two values, and
// here at most 20 values later. Up to the first one, the window's mean and variance are exact.
TEST(Adwin, WithFewBucketsFindsAChangeLittleLater) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Adwin adwin({.delta = 0.002, .buckets = 5});
    EverySplit reference(0.002);
    Rng rng(seed, 0, 0);
    int first = 0, first_of_reference = 0;
    for (int i = 1; i <= 500 && first == 0; ++i) {
      const double value = bernoulli(rng, i <= 300 ? 0.2 : 0.8);
      if (adwin.add(value)) first = i;
      if (first_of_reference == 0 && reference.add(value)) first_of_reference = i;
      if (first_of_reference != 0) continue;
      ASSERT_EQ(adwin.width(), static_cast<std::uint64_t>(i));
      ASSERT_NEAR(adwin.mean(), reference.mean(), 1e-12);
      ASSERT_NEAR(adwin.variance(), reference.variance(), 1e-12);
    }
    EXPECT_GE(first, first_of_reference) << seed;
    EXPECT_LE(first, first_of_reference + 20) << seed;
  }
}

// The theorem allows a share of delta of the values; in practice not even a share of delta of whole
// streams of 1000 values raises an alarm. A fair coin comes near it: its variance is the largest,
// and the cut's second term, which covers what is far from normal, the least.
TEST(Adwin, RaisesAFalseAlarmInNoMoreThanDeltaOfStationaryStreams) {
  constexpr double kStreams = 200;
  const auto alarmed = [](double delta, double mean) {
    double count = 0;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(kStreams); ++seed) {
      Adwin adwin({.delta = delta});
      Rng rng(seed, 0, 0);
      bool any = false;
      for (int i = 0; i < 1000; ++i) any = adwin.add(bernoulli(rng, mean)) || any;
      count += any ? 1 : 0;
    }
    return count / kStreams;
  };
  for (const double mean : {0.05, 0.5}) {
    EXPECT_LE(alarmed(0.002, mean), 0.002) << mean;
    EXPECT_LE(alarmed(0.05, mean), 0.05) << mean;
  }
  EXPECT_LE(alarmed(0.4, 0.5), 0.4);
  EXPECT_GE(alarmed(0.4, 0.5), 0.2);
}

// A jump from 0.2 to 0.8 after 1000 values shows when the cut for n1 new values is below 0.6: with
// v = 0.16 and ln(2/d) = 8.84 from about 24 of them on, give or take their chance. Then the old
// ones go, but for those in the bucket that holds the jump, one of 64 values at most.
TEST(Adwin, NoticesAJumpSoonAndForgetsWhatWasBefore) {
  double delay = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Adwin adwin({});
    Rng rng(seed, 0, 0);
    int noticed = 0;
    for (int i = 1; i <= 1500; ++i) {
      const bool shrank = adwin.add(bernoulli(rng, i <= 1000 ? 0.2 : 0.8));
      if (shrank && noticed == 0 && i > 1000) noticed = i - 1000;
    }
    EXPECT_GT(noticed, 5) << seed;
    EXPECT_LT(noticed, 60) << seed;
    EXPECT_LE(adwin.width(), 564u) << seed;
    EXPECT_NEAR(adwin.mean(), 0.8, 0.1) << seed;
    delay += noticed / 40.0;
  }
  EXPECT_NEAR(delay, 24, 8);
}

TEST(Adwin, ASlowRiseKeepsTheWindowShort) {
  Adwin adwin({});
  Rng rng(1, 0, 0);
  for (int i = 0; i < 20000; ++i) adwin.add(bernoulli(rng, 0.1 + 0.8 * i / 20000));
  EXPECT_LT(adwin.width(), 8000u);
  EXPECT_GT(adwin.mean(), 0.7);
}

std::uint64_t buckets_in_use(const Adwin& adwin) {
  const Tensors state = save_state(adwin);
  EXPECT_EQ(state[0].name, "used");
  std::vector<std::uint64_t> used(state[0].shape[0]);
  std::memcpy(used.data(), state[0].bytes.data(), state[0].bytes.size());
  return std::accumulate(used.begin(), used.end(), std::uint64_t{0});
}

// M buckets each of 1, 2, 4, … values: at most M (1 + log2(n/M + 1)) of them for n values.
TEST(Adwin, MemoryGrowsWithTheLogarithmOfTheWindowAndItsRoomNotAtAll) {
  Adwin adwin({.delta = 1e-9, .buckets = 4});
  const std::size_t room = save_state(adwin)[1].bytes.size();
  for (int n = 1; n <= 200000; ++n) {
    adwin.add(n % 2);
    const double most = 4 * (1 + std::log2(n / 4.0 + 1));
    if (n > 1000 && n % 97 != 0) continue;
    ASSERT_LE(static_cast<double>(buckets_in_use(adwin)), most) << n;
  }
  EXPECT_EQ(adwin.width(), 200000u);
  EXPECT_EQ(adwin.mean(), 0.5);
  EXPECT_NEAR(adwin.variance(), 0.25, 1e-12);
  EXPECT_EQ(save_state(adwin)[1].bytes.size(), room);
}

TEST(Adwin, GoesOnExactlyWhereItWasSaved) {
  Adwin whole({.delta = 0.1});
  Rng rng(1, 0, 0);
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(rng.uniform() * (i < 200 ? 0.5 : 1));
  std::vector<Tensors> states;
  for (const double value : values) {
    states.push_back(save_state(whole));
    whole.add(value);
  }
  for (std::size_t cut = 0; cut < 400; cut += 7) {
    Adwin resumed({.delta = 0.1});
    load_state(resumed, states[cut]);
    for (std::size_t i = cut; i < 400; ++i) resumed.add(values[i]);
    EXPECT_EQ(save_state(resumed), save_state(whole)) << cut;
  }
}

TEST(Adwin, AnEmptyWindowHasTheMeanZeroAndValuesBeyondTheUnitIntervalAreClipped) {
  Adwin adwin({});
  EXPECT_EQ(adwin.width(), 0u);
  EXPECT_EQ(adwin.mean(), 0);
  adwin.add(-5);
  adwin.add(1e300);
  EXPECT_EQ(adwin.mean(), 0.5);
}

TEST(Adwin, RefusesImpossibleBuckets) {
  Adwin adwin({});
  for (int i = 0; i < 20; ++i) adwin.add(0.5);
  const Tensors good = save_state(adwin);
  const auto refused = [&](std::size_t which, const auto value, const char* name) {
    Tensors bad = good;
    std::memcpy(bad[which].bytes.data(), &value, sizeof value);
    test::expect_error(ErrorKind::model_file, {name}, [&] { load_state(adwin, bad); });
  };
  refused(0, std::uint64_t{6}, "'used'");
  refused(1, 1.5, "'sum'");
  refused(1, -0.5, "'sum'");
  refused(2, -0.5, "'spread'");
}

}  // namespace
}  // namespace plumbline::adwin_test
