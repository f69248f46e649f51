#include "plumbline/encoding/running_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "plumbline/base/all_of.h"

namespace plumbline::inline v0 {
namespace {

// A feature that is constant but for rounding is only centered.
double scale_of(double variance, double mean) {
  return variance > 1e-24 * mean * mean ? 1 / std::sqrt(variance) : 1;
}

double bounded(double value) { return std::clamp(value, -kMaxMagnitude, kMaxMagnitude); }

struct ColumnMoments {
  double count, mean, m2;
};

// Those of both sets of values together.
ColumnMoments merged(const ColumnMoments& a, const ColumnMoments& b) {
  const double total = a.count + b.count, delta = b.mean - a.mean;
  const double m2 = a.m2 + b.m2 + delta * delta * (a.count * b.count / total);
  // Bounded: the mean of many numbers of the largest magnitude may be rounded to a larger one.
  return {total, bounded(a.mean + delta * (b.count / total)), kMaxState < m2 ? kMaxState : m2};
}

}  // namespace

void RunningMoments::grow(std::size_t features, bool is_number, bool zeros) {
  is_number_.resize(features, is_number ? 1 : 0);
  count_.resize(features, zeros ? static_cast<double>(rows_) : 0.0);
  mean_.resize(features);
  m2_.resize(features);
}

void RunningMoments::observe(const Batch& batch) {
  batch.sparse() ? observe_sparse(batch) : observe_dense(batch);
  rows_ += batch.rows;
}

void RunningMoments::merge(std::size_t feature, double n, double mean, double m2) {
  const ColumnMoments all = merged({count_[feature], mean_[feature], m2_[feature]}, {n, mean, m2});
  count_[feature] = all.count;
  mean_[feature] = all.mean;
  m2_[feature] = all.m2;
}

void RunningMoments::merge_all(double n, std::span<const double> means, const double* m2s) {
  double* const count = count_.data();
  double* const mean = mean_.data();
  double* const m2 = m2_.data();
  for (std::size_t j = 0; j < means.size(); ++j) {
    const ColumnMoments all = merged({count[j], mean[j], m2[j]}, {n, means[j], m2s[j]});
    count[j] = all.count;
    mean[j] = all.mean;
    m2[j] = all.m2;
  }
}

namespace {

// The sums of term(value, column) over the columns from `first` on, each in the order of its rows. They are summed
// several at a time, so that the sums stay in registers and memory is read in whole cache lines.
template <std::size_t kTogether, class Term>
void sum_some(const Batch& batch, std::size_t first, double* sums, const Term& term) {
  std::array<double, kTogether> parts{};
  const double* values = batch.values.data() + first;
  for (std::size_t i = 0; i < batch.rows; ++i, values += batch.columns) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((parts[k] += term(values[k], first + k)), ...);
    }
    (std::make_index_sequence<kTogether>());
  }
  std::ranges::copy(parts, sums + first);
}

template <class Term>
void sum_columns(const Batch& batch, std::span<double> sums, const Term& term) {
  constexpr std::size_t kTogether = 8;
  std::size_t j = 0;
  for (; j + kTogether <= sums.size(); j += kTogether) {
    sum_some<kTogether>(batch, j, sums.data(), term);
  }
  for (; j + 2 <= sums.size(); j += 2) sum_some<2>(batch, j, sums.data(), term);
  if (j < sums.size()) sum_some<1>(batch, j, sums.data(), term);
}

// The sums of rows with missing values, which are left out.
void add_present_rows(const Batch& batch, std::span<double> sums, double* counts) {
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const double* const values = batch.row(i).data();
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const bool missing = std::isnan(values[j]);
      counts[j] += missing ? 0.0 : 1.0;
      sums[j] += missing ? 0.0 : values[j];
    }
  }
}

void add_present_squares(const Batch& batch, const double* means, std::span<double> m2s) {
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const double* const values = batch.row(i).data();
    for (std::size_t j = 0; j < m2s.size(); ++j) {
      const double difference = values[j] - means[j];
      m2s[j] += std::isnan(values[j]) ? 0.0 : difference * difference;
    }
  }
}

}  // namespace

void RunningMoments::observe_dense(const Batch& batch) {
  const std::size_t width = std::min(batch.columns, size());
  scratch_.assign(3 * width, 0);
  const auto third = [&](std::size_t k) { return std::span(scratch_).subspan(k * width, width); };
  const std::span<double> means = third(0), m2s = third(1), counts = third(2);
  sum_columns(batch, means, [](double value, std::size_t) { return value; });
  // Values are finite or missing, so that a sum is NaN only if a value of its column is missing.
  const bool complete = all_of_values(means, [](double sum) { return !std::isnan(sum); });
  if (complete) {
    std::ranges::fill(counts, static_cast<double>(batch.rows));
  } else {
    std::ranges::fill(means, 0.0);
    add_present_rows(batch, means, counts.data());
  }
  for (std::size_t j = 0; j < width; ++j) means[j] /= std::max(counts[j], 1.0);
  if (complete) {
    sum_columns(batch, m2s, [mean = means.data()](double value, std::size_t j) {
      return (value - mean[j]) * (value - mean[j]);
    });
  } else {
    add_present_squares(batch, means.data(), m2s);
  }
  const auto end = is_number_.begin() + static_cast<std::ptrdiff_t>(width);
  if (complete && batch.rows > 0 && std::find(is_number_.begin(), end, 0) == end) {
    return merge_all(static_cast<double>(batch.rows), means, m2s.data());
  }
  for (std::size_t j = 0; j < width; ++j) {
    if (is_number_[j] != 0 && counts[j] > 0) merge(j, counts[j], means[j], m2s[j]);
  }
}

void RunningMoments::observe_sparse(const Batch& batch) {
  const auto rows = static_cast<double>(batch.rows);
  scratch_.resize(3 * size());
  double* const present = scratch_.data();  // all 0 between two calls
  double* const means = present + size();   // sums, so far
  double* const m2s = means + size();
  touched_.clear();
  const auto each = [&](const auto& use) {
    for (std::size_t i = 0; i < batch.rows; ++i) {
      for (const Entry& entry : batch.sparse_row(i)) use(entry.feature, entry.value);
    }
  };
  each([&](std::uint32_t j, double value) {
    if (present[j] == 0) touched_.push_back(j);
    present[j] += 1;
    means[j] += value;
  });
  for (const std::uint32_t j : touched_) means[j] /= rows;
  each([&](std::uint32_t j, double value) { m2s[j] += (value - means[j]) * (value - means[j]); });
  for (const std::uint32_t j : touched_) {
    const double zeros = static_cast<double>(rows_) - count_[j];
    if (zeros > 0) merge(j, zeros, 0, 0);
    merge(j, rows, means[j], m2s[j] + (rows - present[j]) * means[j] * means[j]);
    present[j] = means[j] = m2s[j] = 0;
  }
}

double RunningMoments::variance(std::size_t feature) const {
  return count_[feature] > 0 ? m2_[feature] / count_[feature] : 0;
}

void RunningMoments::transform(std::span<double> values, std::size_t columns,
                               bool standardize) const {
  const std::size_t width = std::min(columns, size());
  const auto is_there = [](double value) { return !std::isnan(value); };
  for (std::size_t row = 0; row < values.size(); row += columns) {
    const std::span<double> x = values.subspan(row, width);
    if (all_of_values(x, is_there)) continue;
    for (std::size_t j = 0; j < width; ++j) {
      if (std::isnan(x[j]) && is_number_[j] != 0) x[j] = mean_[j];
    }
  }
  if (!standardize) return;
  for (std::size_t j = 0; j < width; ++j) {
    if (is_number_[j] == 0) continue;
    const double mean = mean_[j], scale = scale_of(variance(j), mean);
    for (std::size_t at = j; at < values.size(); at += columns) {
      values[at] = bounded((values[at] - mean) * scale);
    }
  }
}

void RunningMoments::scale(std::span<Entry> entries) const {
  for (Entry& entry : entries) {
    const std::size_t j = entry.feature;
    if (j >= size() || count_[j] == 0) continue;
    // The zeros since the feature was last present count too.
    const double all = std::max(static_cast<double>(rows_), count_[j]), zeros = all - count_[j];
    const double m2 = m2_[j] + mean_[j] * mean_[j] * (count_[j] * zeros / all);
    entry.value = bounded(entry.value * scale_of(m2 / all, mean_[j] * (count_[j] / all)));
  }
}

void RunningMoments::archive(Archive& archive) {
  archive.value("rows", rows_);
  archive.values("count", count_);
  archive.values("mean", mean_);
  archive.values("m2", m2_);
  archive.require_within("count", count_, 0, kMaxState);
  archive.require_within("mean", mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("m2", m2_, 0, kMaxState);
}

}  // namespace plumbline::inline v0
