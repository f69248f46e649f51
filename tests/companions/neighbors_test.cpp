#include "plumbline/companions/neighbors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "plumbline/math/loss.h"
#include "tests/kernels/every_target.h"
#include "tests/support.h"

namespace plumbline::neighbors_test {
namespace {

constexpr std::size_t kColumns = Neighbors::kTraits.columns;

Neighbors make(const Neighbors::Params& params, FeatureSpace features, bool several = false) {
  return {params, {.features = features, .several_classes = several}};
}

std::vector<double> margins_of(const Neighbors& neighbors, const Batch& batch,
                               std::size_t outputs = 1) {
  std::vector<double> margins(kColumns * outputs * batch.rows);
  neighbors.margins(batch, 0, margins);
  return margins;
}

// Rows of `features` normal numbers, whose class depends on all of them.
Minibatch clouds(std::size_t rows, std::size_t features, std::uint64_t seed = 1) {
  Minibatch data(features);
  Rng rng(seed, 0, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto y = static_cast<Label>(rng.below(2));
    const auto x = data.add(y);
    for (std::size_t j = 0; j < features; ++j) {
      x[j] = static_cast<double>(j) + rng.normal() * static_cast<double>(j + 1) + y;
    }
  }
  return data;
}

// The definition in neighbors.h, with all distances sorted.
class Definition {
 public:
  explicit Definition(const Neighbors::Params& params)
      : k_(static_cast<std::size_t>(params.k)), kept_(static_cast<std::size_t>(params.rows)) {}

  void learn(std::span<const double> x, Label y) {
    rows_.push_back({{x.begin(), x.end()}, y});
    const std::size_t n = rows_.size();
    const bool early = n >= 8 && n < 1024 && (n & (n - 1)) == 0;
    if (early || n % 1024 == 0) rescale();
  }

  double margin(std::span<const double> x, bool recent) const {
    // The rows of the newest block, and whole blocks of 8 before it.
    const std::size_t n = rows_.size(), blocks = recent ? (kept_ / 8 + 7) / 8 : kept_ / 8;
    const std::size_t in_last = n % 8 == 0 ? 8 : n % 8;
    const std::size_t count = std::min(n, in_last + 8 * (blocks - 1));
    std::vector<std::pair<double, Label>> near;
    for (std::size_t i = n; i-- > n - count;) {
      double distance = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        distance += std::abs(byte(j, x[j]) - byte(j, rows_[i].first[j]));
      }
      near.push_back({distance, rows_[i].second});
    }
    std::ranges::stable_sort(near, {}, &std::pair<double, Label>::first);
    near.resize(std::min(near.size(), k_));
    std::array<double, 2> votes{0.03, 0.03};
    for (const auto& [distance, label] : near) {
      votes[label] += std::pow((near[0].first + 1) / (distance + 1), 4);
    }
    return std::log(votes[1] / votes[0]);
  }

 private:
  static double rounded(double value) { return static_cast<float>(value); }

  void rescale() {
    const std::size_t n = std::min(rows_.size(), kept_), d = rows_[0].first.size();
    mean_.assign(d, 0);
    deviation_.assign(d, 0);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = rows_.size() - n; i < rows_.size(); ++i) {
        mean_[j] += rounded(rows_[i].first[j]) / static_cast<double>(n);
      }
      for (std::size_t i = rows_.size() - n; i < rows_.size(); ++i) {
        deviation_[j] +=
            std::pow(rounded(rows_[i].first[j]) - mean_[j], 2) / static_cast<double>(n);
      }
      deviation_[j] = std::sqrt(deviation_[j]);
    }
  }
  double byte(std::size_t j, double value) const {
    if (mean_.empty()) return 128;
    return std::floor(
        std::clamp((rounded(value) - mean_[j]) / deviation_[j] * 32 + 128.5, 0.0, 255.0));
  }

  std::size_t k_, kept_;
  std::vector<std::pair<std::vector<double>, Label>> rows_;
  std::vector<double> mean_, deviation_;
};

TEST(Neighbors, FollowTheDefinition) {
  const Neighbors::Params params{.k = 5, .rows = 128};
  const Minibatch data = clouds(1500, 11);
  test::with_every_target([&] {
    Neighbors neighbors = make(params, 11);
    Definition definition(params);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const auto x = data.features().row(i);
      const auto margins = margins_of(neighbors, data.features().part(i, 1));
      EXPECT_NEAR(margins[0], definition.margin(x, false), 1e-9) << i;
      EXPECT_NEAR(margins[1], definition.margin(x, true), 1e-9) << i;
      neighbors.learn(data.examples().part(i, 1));
      definition.learn(x, data.examples().y[i]);
    }
  });
}

TEST(Neighbors, KnowNothingBeforeTheFirstRow) {
  for (const double margin : margins_of(make({}, 3), clouds(4, 3).features())) {
    EXPECT_EQ(margin, 0);
  }
}

TEST(Neighbors, TheNewestRowsFollowAChange) {
  const Minibatch data = clouds(4000, 6);
  std::vector<Label> labels(data.examples().y.begin(), data.examples().y.end());
  for (std::size_t i = 3000; i < labels.size(); ++i) labels[i] = labels[i] == 1 ? 0 : 1;
  Neighbors neighbors = make({}, 6);
  neighbors.learn({data.features().part(0, 3900), std::span(labels).first(3900)});
  const auto margins = margins_of(neighbors, data.features().part(3900, 100));
  std::array<std::size_t, 2> right{};
  for (std::size_t i = 0; i < 100; ++i) {
    for (std::size_t c = 0; c < 2; ++c) {
      if ((margins[c * 100 + i] > 0) == (labels[3900 + i] == 1)) ++right[c];
    }
  }
  EXPECT_LT(right[0], 40u);
  EXPECT_GT(right[1], 60u);
}

TEST(Neighbors, NothingDependsOnTheScaleOfAFeature) {
  const Minibatch data = clouds(1500, 3);
  Minibatch scaled(3);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto x = scaled.add(data.examples().y[i]);
    std::ranges::copy(data.features().row(i), x.begin());
    x[0] *= 1024;
    x[2] /= 4096;
  }
  Neighbors one = make({}, 3), two = make({}, 3);
  one.learn(data.examples());
  two.learn(scaled.examples());
  EXPECT_EQ(margins_of(one, data.features()), margins_of(two, scaled.features()));
}

TEST(Neighbors, ANewFeatureCountsAsZeroSoFar) {
  for (const std::size_t narrow : {2u, 9u, 254u}) {
    const std::size_t wide = narrow + 5;  // 259 of 254: three features are added to earlier ones
    const Minibatch data = clouds(600, wide);
    Minibatch early(wide), start(narrow);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const auto x = early.add(data.examples().y[i]);
      std::ranges::copy(data.features().row(i), x.begin());
      if (i < 300) std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(narrow), wide - narrow, 0.0);
      const auto s = start.add(data.examples().y[i]);
      std::copy_n(x.begin(), narrow, s.begin());
    }
    Neighbors grown = make({.rows = 256}, narrow), from_the_start = make({.rows = 256}, wide);
    grown.learn(start.examples().part(0, 300));
    grown.grow(wide);
    grown.learn(early.examples().part(300, 300));
    from_the_start.learn(early.examples());
    EXPECT_EQ(save_state(grown), save_state(from_the_start)) << narrow;
    EXPECT_EQ(margins_of(grown, data.features()), margins_of(from_the_start, data.features()));
  }
}

TEST(Neighbors, SparseRowsAreTheSameRows) {
  const std::size_t features = 300;
  Minibatch dense(features);
  std::vector<Entry> entries;
  std::vector<std::size_t> starts{0};
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 500; ++i) {
    const auto x = dense.add(static_cast<Label>(rng.below(2)));
    for (std::uint32_t j = 0; j < features; ++j) {
      if (rng.below(20) > 0) continue;
      x[j] = static_cast<double>(1 + rng.below(5));
      entries.push_back({j, x[j]});
    }
    starts.push_back(entries.size());
  }
  const Batch sparse{
      .rows = dense.rows(), .columns = features, .entries = entries, .starts = starts};
  Neighbors one = make({}, features), two = make({}, FeatureSpace(features, true));
  one.learn(dense.examples());
  two.learn({sparse, dense.examples().y});
  EXPECT_EQ(save_state(one), save_state(two));
  EXPECT_EQ(margins_of(one, dense.features()), margins_of(two, sparse));
}

TEST(Neighbors, CountSeveralClasses) {
  Minibatch data(2);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 1500; ++i) {
    const auto y = static_cast<Label>(rng.below(3));
    const auto x = data.add(y);
    x[0] = rng.normal() + 8 * (y == 1 ? 1 : 0);
    x[1] = rng.normal() + 8 * (y == 2 ? 1 : 0);
  }
  Neighbors neighbors = make({}, 2, /*several=*/true);
  for (int k = 0; k < 3; ++k) neighbors.add_class();
  neighbors.learn(data.examples().part(0, 1400));
  const auto margins = margins_of(neighbors, data.features().part(1400, 100), 3);
  for (std::size_t i = 0; i < 100; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += sigmoid(margins[k * 100 + i]);
    EXPECT_NEAR(sum, 1, 1e-9) << i;
    EXPECT_GT(sigmoid(margins[data.examples().y[1400 + i] * 100 + i]), 0.9) << i;
  }
}

TEST(Neighbors, AClassCanComeLater) {
  const Minibatch data = clouds(100, 2);
  Neighbors neighbors = make({}, 2, /*several=*/true);
  EXPECT_TRUE(margins_of(neighbors, data.features(), 0).empty());
  neighbors.add_class();
  neighbors.learn({data.features().part(0, 50), std::vector<Label>(50, 0)});
  for (const double margin : margins_of(neighbors, data.features(), 1)) {
    EXPECT_GT(margin, 3);
    EXPECT_TRUE(std::isfinite(margin));
  }
  neighbors.add_class();
  neighbors.learn({data.features().part(50, 50), std::vector<Label>(50, 1)});
  const auto margins = margins_of(neighbors, data.features().part(99, 1), 2);
  EXPECT_GT(margins[1], 0);
}

TEST(Neighbors, ExtremeValuesLeaveFiniteMargins) {
  const std::array<double, 7> values{0, 1e300, -1e300, 1e-300, 5, -1e-40, 1e38};
  Minibatch data(3);
  for (std::size_t i = 0; i < 2100; ++i) {
    const auto x = data.add(static_cast<Label>(i % 2));
    x[0] = values[i % values.size()];
    x[1] = 0.1;  // constant: no rounding error may count
    x[2] = i < 1000 ? 0 : values[i % 3];
  }
  Neighbors neighbors = make({}, 3);
  for (std::size_t i = 0; i < data.rows(); i += 10) {
    for (const double margin : margins_of(neighbors, data.features().part(i, 10))) {
      ASSERT_TRUE(std::isfinite(margin)) << i;
    }
    neighbors.learn(data.examples().part(i, 10));
  }
}

TEST(Neighbors, AConstantFeatureDoesNotCount) {
  const Minibatch data = clouds(300, 2);
  Minibatch wider(3), other(3);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto x = wider.add(data.examples().y[i]), z = other.add(data.examples().y[i]);
    std::ranges::copy(data.features().row(i), x.begin());
    std::ranges::copy(data.features().row(i), z.begin());
    x[2] = 0.1;
    z[2] = 1e6;  // at the prediction, a value that was not learned
  }
  Neighbors narrow = make({}, 2), wide = make({}, 3);
  narrow.learn(data.examples());
  wide.learn(wider.examples());
  EXPECT_EQ(margins_of(narrow, data.features()), margins_of(wide, other.features()));
}

// Every bit flip of a saved state is refused or leaves one that predicts finite numbers.
TEST(Neighbors, RefuseAFileOfSomethingElse) {
  const Minibatch data = clouds(50, 3);
  const Neighbors::Params params{.k = 3, .rows = 32};
  Neighbors neighbors = make(params, 3);
  neighbors.learn(data.examples());
  const Tensors tensors = save_state(neighbors);
  std::map<std::string, int> refused;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (std::size_t byte = 0; byte < tensors[t].bytes.size(); ++byte) {
      for (const auto bit : {std::byte{0x20}, std::byte{0x41}, std::byte{0x80}}) {
        Tensors changed = tensors;
        changed[t].bytes[byte] ^= bit;
        Neighbors loaded = make(params, 3);
        try {
          load_state(loaded, changed);
          for (const double margin : margins_of(loaded, data.features())) {
            ASSERT_TRUE(std::isfinite(margin));
          }
          loaded.learn(data.examples());
        } catch (const Error&) {
          ++refused[tensors[t].name];
        }
      }
    }
  }
  for (const char* name : {"count", "rows", "labels", "scales"})
    EXPECT_GT(refused[name], 0) << name;
}

}  // namespace
}  // namespace plumbline::neighbors_test
