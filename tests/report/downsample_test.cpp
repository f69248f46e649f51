#include "report/downsample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::report {
namespace {

std::vector<std::size_t> downsample_one(const std::vector<double>& values) {
  const std::span<const double> columns[] = {values};
  return downsample(columns);
}

bool contains(const std::vector<std::size_t>& kept, std::size_t index) {
  return std::binary_search(kept.begin(), kept.end(), index);
}

TEST(Downsample, LeavesShortSeriesAlone) {
  const auto kept = downsample_one(std::vector<double>(kMostPoints, 1.0));
  ASSERT_EQ(kept.size(), kMostPoints);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], i);
  EXPECT_TRUE(downsample({}).empty());
}

TEST(Downsample, KeepsExtremesEndsAndGaps) {
  std::vector<double> values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
  values[123'457] = 50;
  values[777'777] = -50;
  values[500'001] = std::numeric_limits<double>::quiet_NaN();
  const auto kept = downsample_one(values);
  EXPECT_LE(kept.size(), kMostPoints);
  EXPECT_GE(kept.size(), kMostPoints / 2);
  for (const std::size_t i : {0u, 123'457u, 777'777u, 500'001u, 999'999u})
    EXPECT_TRUE(contains(kept, i));
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
}

TEST(Downsample, KeepsTheExtremesOfEveryColumn) {
  std::vector<double> a(50'000, 0.0), b = a, c = a;
  a[10] = 1;
  b[20'000] = 1;
  c[49'000] = -1;
  const std::span<const double> columns[] = {a, b, c};
  const auto kept = downsample(columns);
  EXPECT_LE(kept.size(), kMostPoints);
  for (const std::size_t i : {10u, 20'000u, 49'000u}) EXPECT_TRUE(contains(kept, i));
}

TEST(Downsample, CopesWithNothingButGaps) {
  const auto kept =
      downsample_one(std::vector<double>(5000, std::numeric_limits<double>::infinity()));
  EXPECT_LE(kept.size(), kMostPoints);
}

}  // namespace
}  // namespace plumbline::report
