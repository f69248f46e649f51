#include "plumbline/encoding/running_moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::running_moments_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The same rows twice: dense, and sparse without their zeros.
struct Rows {
  explicit Rows(std::size_t columns) : dense(columns) {}

  void add(std::span<const double> values) {
    std::ranges::copy(values, dense.add(0).begin());
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (values[j] != 0) entries.push_back({static_cast<std::uint32_t>(j), values[j]});
    }
    starts.push_back(entries.size());
  }
  Batch sparse() const {
    return {.rows = dense.rows(), .columns = dense.columns(), .entries = entries, .starts = starts};
  }

  Minibatch dense;
  std::vector<Entry> entries{};
  std::vector<std::size_t> starts{0};
};

// Row i of a stream with `columns` features, of which later ones come more seldom; none is near a constant.
std::vector<double> random_row(std::size_t i, std::size_t columns) {
  std::vector<double> values(columns);
  Rng rng(5, 0, i);
  for (std::size_t j = 0; j < columns; ++j) {
    if (rng.below(j + 1) == 0) values[j] = 10 * rng.normal() + static_cast<double>(j);
  }
  return values;
}

Rows random_rows(std::size_t from, std::size_t to, std::size_t columns) {
  Rows rows(columns);
  for (std::size_t i = from; i < to; ++i) rows.add(random_row(i, columns));
  return rows;
}

// What dense moments make of x less what they make of 0: x divided by the deviation, as sparse ones do it.
double divided(const RunningMoments& moments, std::size_t feature, double x) {
  std::vector<double> values(2 * moments.size());
  values[feature] = x;
  moments.transform(values, moments.size(), /*standardize=*/true);
  return values[feature] - values[moments.size() + feature];
}

double scaled(const RunningMoments& moments, std::size_t feature, double x) {
  Entry entry{static_cast<std::uint32_t>(feature), x};
  moments.scale({&entry, 1});
  return entry.value;
}

TEST(RunningMoments, SparseRowsCountAsDenseOnesWithZeros) {
  constexpr std::size_t kColumns = 12;
  RunningMoments dense, sparse;
  dense.grow(kColumns, true);
  sparse.grow(kColumns, true);
  for (std::size_t from = 0, size = 1; from < 600; from += size, size = size % 37 + 5) {
    const Rows rows = random_rows(from, from + size, kColumns);
    dense.observe(rows.dense.features());
    sparse.observe(rows.sparse());
    EXPECT_EQ(sparse.rows(), dense.rows());
    for (std::size_t j = 0; j < kColumns && from > 100; ++j) {
      // The same sums in another order: each of some 50 merges rounds a few times, and nothing cancels,
      // for variances are sums of squares. That is below 1000 units in the last place.
      const double expected = divided(dense, j, 3.5);
      EXPECT_NEAR(scaled(sparse, j, 3.5), expected, 1000 * 0x1p-53 * std::abs(expected)) << j;
    }
  }
}

// Feature 0 is in each row, feature 1 in some. The sums are of small whole numbers, and exact.
TEST(RunningMoments, ZerosAreMergedWhenAFeatureIsPresentAgain) {
  RunningMoments moments;
  moments.grow(2, true);
  Rows with(2), without(2);
  with.add(std::vector<double>{1, 4});
  without.add(std::vector<double>{1, 0});
  moments.observe(with.sparse());
  // Four alone has no deviation, and is left as it is.
  EXPECT_EQ(scaled(moments, 1, 4), 4);
  moments.observe(without.sparse());
  // Of 4 and 0 the mean is 2 and the deviation too, though feature 1 was not touched.
  EXPECT_EQ(scaled(moments, 1, 4), 2);
  moments.observe(without.sparse());
  moments.observe(without.sparse());
  // 4, 0, 0, 0: the mean is 1, the variance 16/4 - 1.
  EXPECT_DOUBLE_EQ(scaled(moments, 1, 4), 4 / std::sqrt(3.0));
  for (int i = 0; i < 4; ++i) moments.observe(with.sparse());
  // 4, 0, 0, 0, 4, 4, 4, 4: the mean is 5/2, the variance 80/8 - 25/4.
  EXPECT_DOUBLE_EQ(scaled(moments, 1, 4), 4 / std::sqrt(3.75));
}

TEST(RunningMoments, LookingDoesNotMergeZeros) {
  RunningMoments looked, alone;
  for (RunningMoments* moments : {&looked, &alone}) {
    moments->grow(4, true);
    moments->observe(random_rows(0, 10, 4).sparse());
    moments->observe(Rows(4).sparse());
  }
  for (std::size_t j = 0; j < 4; ++j) scaled(looked, j, 1);
  EXPECT_EQ(save_state(looked), save_state(alone));
}

TEST(RunningMoments, GoOnToTheSameBitsWhereverTheyAreCut) {
  constexpr std::size_t kColumns = 9, kBatch = 7, kBatches = 12;
  for (const bool sparse : {false, true}) {
    const auto observe = [&](RunningMoments& moments, std::size_t batch) {
      const Rows rows = random_rows(batch * kBatch, (batch + 1) * kBatch, kColumns);
      moments.observe(sparse ? rows.sparse() : rows.dense.features());
    };
    RunningMoments whole;
    whole.grow(kColumns, true);
    std::vector<Tensors> states;
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
      states.push_back(save_state(whole));
      observe(whole, batch);
    }
    for (std::size_t cut = 0; cut < kBatches; ++cut) {
      RunningMoments resumed;
      resumed.grow(kColumns, true);
      load_state(resumed, states[cut]);
      for (std::size_t batch = cut; batch < kBatches; ++batch) observe(resumed, batch);
      EXPECT_EQ(save_state(resumed), save_state(whole)) << cut;
    }
  }
}

// A name that comes late was 0 in each row before; a column's value that comes late was nothing.
TEST(RunningMoments, FeaturesThatComeLateCountTheirZerosIfTheyAreTold) {
  for (const bool zeros : {false, true}) {
    for (const bool sparse : {false, true}) {
      RunningMoments moments;
      moments.grow(1, true);
      Rows before(1), after(2);
      for (int i = 0; i < 2; ++i) before.add(std::vector<double>{1});
      for (int i = 0; i < 2; ++i) after.add(std::vector<double>{0, 4});
      moments.observe(sparse ? before.sparse() : before.dense.features());
      moments.grow(2, true, zeros);
      moments.observe(sparse ? after.sparse() : after.dense.features());
      // Of 0, 0, 4, 4 the deviation is 2; of 4, 4 alone there is none. Sparse rows know no other than 0.
      const double half = zeros || sparse ? 2 : 4;
      EXPECT_EQ(sparse ? scaled(moments, 1, 4) : divided(moments, 1, 4), half) << zeros << sparse;
    }
  }
}

TEST(RunningMoments, MissingValuesDoNotCountAndBecomeTheMean) {
  RunningMoments moments;
  moments.grow(2, true);
  const Minibatch rows = test::rows({{{2, kNan}, 0}, {{kNan, kNan}, 0}, {{6, kNan}, 0}});
  moments.observe(rows.features());
  std::vector<double> values{kNan, kNan, 8, 1};
  moments.transform(values, 2, /*standardize=*/false);
  EXPECT_EQ(values, (std::vector<double>{4, 0, 8, 1}));  // 0 where nothing is known
}

TEST(RunningMoments, LeaveFeaturesThatAreNoNumbersAlone) {
  RunningMoments moments;
  moments.grow(1, true);
  moments.grow(2, /*is_number=*/false);
  const Minibatch rows = test::rows({{{2, 1}, 0}, {{6, 0}, 0}});
  moments.observe(rows.features());
  std::vector<double> values{2, 1, 6, 0};
  moments.transform(values, 2, /*standardize=*/true);
  EXPECT_EQ(values, (std::vector<double>{-1, 1, 1, 0}));
}

TEST(RunningMoments, StayFiniteForTheLargestValues) {
  RunningMoments dense, sparse;
  for (RunningMoments* moments : {&dense, &sparse}) moments->grow(1, true);
  Rows rows(1);
  for (const double sign : {1.0, -1.0, 1.0}) rows.add(std::vector<double>{sign * kMaxMagnitude});
  for (int i = 0; i < 100; ++i) {
    dense.observe(rows.dense.features());
    sparse.observe(rows.sparse());
  }
  for (RunningMoments* moments : {&dense, &sparse}) {
    RunningMoments loaded;  // loading refuses what is not finite, or too large
    loaded.grow(1, true);
    EXPECT_NO_THROW(load_state(loaded, save_state(*moments)));
  }
  EXPECT_TRUE(std::isfinite(scaled(sparse, 0, kMaxMagnitude)));
  EXPECT_TRUE(std::isfinite(divided(dense, 0, kMaxMagnitude)));
}

}  // namespace
}  // namespace plumbline::running_moments_test
