#include "plumbline/kernels/nearest_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "plumbline/math/rng.h"
#include "tests/kernels/every_target.h"

namespace plumbline::nearest_rows_test {
namespace {

using kernels::ByteTable;
using kernels::NearestRows;

constexpr std::size_t kAge = 11;  // of the last row

struct Found {
  std::uint32_t distance, age;
  bool operator==(const Found&) const = default;
};

class Table {
 public:
  // Bytes below `values`: few values give many equal distances.
  Table(std::size_t rows, std::size_t width, std::uint64_t values)
      : width_(width), padded_(ByteTable::padded(width)), bytes_((rows + 7) / 8 * 8 * padded_, 77) {
    for (std::size_t row = 0; row < (rows + 7) / 8 * 8; ++row) {
      for (std::size_t j = 0; j < padded_; ++j) {
        bytes_[ByteTable::at(padded_, row, j)] = j < width ? byte(values) : std::uint8_t{0};
      }
    }
    query_.resize(padded_);
    for (std::size_t j = 0; j < width; ++j) query_[j] = byte(values);
  }

  std::vector<Found> nearest(std::size_t first, std::size_t last, std::size_t limit) const {
    NearestRows nearest(limit);
    kernels::add_nearest(bytes_.data(), padded_, query_.data(), first, last, kAge, nearest);
    std::vector<Found> found;
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      found.push_back({nearest.distance(i), nearest.age(i)});
    }
    return found;
  }

  // The definition: all distances, sorted, the younger row first among equals.
  std::vector<Found> sorted(std::size_t first, std::size_t last, std::size_t limit) const {
    std::vector<Found> all;
    for (std::size_t row = last; row-- > first;) {
      int distance = 0;
      for (std::size_t j = 0; j < width_; ++j) {
        distance += std::abs(bytes_[ByteTable::at(padded_, row, j)] - query_[j]);
      }
      all.push_back({static_cast<std::uint32_t>(distance),
                     static_cast<std::uint32_t>(kAge + last - 1 - row)});
    }
    std::ranges::stable_sort(all, {}, &Found::distance);
    all.resize(std::min(all.size(), limit));
    return all;
  }

 private:
  std::uint8_t byte(std::uint64_t values) { return static_cast<std::uint8_t>(rng_.below(values)); }

  std::size_t width_, padded_;
  Rng rng_{1, 0, 0};
  std::vector<std::uint8_t> bytes_, query_;
};

TEST(NearestRows, AreTheFirstOfAllRowsSortedByDistance) {
  test::with_every_target([] {
    for (const std::size_t width : {1u, 8u, 9u, 54u, 256u}) {
      for (const std::uint64_t values : {2u, 256u}) {
        const Table table(203, width, values);
        for (const std::size_t limit : {1u, 5u, 64u}) {
          for (const std::size_t last : {1u, 7u, 8u, 9u, 203u}) {
            EXPECT_EQ(table.nearest(0, last, limit), table.sorted(0, last, limit))
                << width << " bytes, " << last << " rows, the nearest " << limit;
          }
          EXPECT_EQ(table.nearest(96, 160, limit), table.sorted(96, 160, limit));
        }
      }
    }
  });
}

TEST(NearestRows, BytesAreRoundedDownWithinTheirRange) {
  const std::vector<float> values{0, 1, -1, 3e38F, -3e38F, 5, 0.25F, 4, -4, 7, 3.96875F};
  const std::vector<double> means{0, 0, 0, 0, 0, 5, 0, 0, 0, 6, 0};
  const std::vector<double> scales{32, 32, 32, 1e200, 1e200, 0, 0.9, 32, 32, 32, 32};
  const std::vector<std::uint8_t> expected{128, 160, 96, 255, 0, 128, 128, 255, 0, 160, 255};
  test::with_every_target([&] {
    for (std::size_t size = 0; size <= values.size(); ++size) {
      std::vector<std::uint8_t> bytes(size + 1, 77);
      kernels::to_bytes(values.data(), means.data(), scales.data(), size, bytes.data());
      for (std::size_t j = 0; j < size; ++j) EXPECT_EQ(bytes[j], expected[j]) << j;
      EXPECT_EQ(bytes[size], 77);
    }
  });
}

TEST(NearestRows, TheLargestDistanceFits) {
  test::with_every_target([] {
    std::vector<std::uint8_t> table(8 * 256, 255);
    const std::vector<std::uint8_t> query(256, 0);
    NearestRows nearest(3);
    kernels::add_nearest(table.data(), 256, query.data(), 0, 8, 0, nearest);
    ASSERT_EQ(nearest.size(), 3u);
    EXPECT_EQ(nearest.distance(2), 256u * 255u);
    EXPECT_EQ(nearest.age(0), 0u);
  });
}

TEST(NearestRows, NoRowsAddNothing) {
  NearestRows nearest(3);
  kernels::add_nearest(nullptr, 8, nullptr, 0, 0, 0, nearest);
  EXPECT_EQ(nearest.size(), 0u);
}

}  // namespace
}  // namespace plumbline::nearest_rows_test
