#include "plumbline/policies/adwin.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace plumbline::inline v0 {
namespace {

// Means of fewer values are not compared.
constexpr std::uint64_t kFewest = 5;

}  // namespace

Adwin::Adwin(const Params& params)
    : params_(params),
      used_(kRows),
      sum_(kRows * (params.buckets + 1)),
      spread_(kRows * (params.buckets + 1)) {
  assert(params.buckets >= 1 && params.delta > 0 && params.delta < 1);
}

template <class Use>
void Adwin::for_each_bucket(Use&& use) const {
  for (std::size_t row = kRows; row-- > 0;) {
    for (std::size_t i = 0; i < used_[row]; ++i) {
      const std::size_t index = row * (params_.buckets + 1) + i;
      if (!use(Bucket{std::uint64_t{1} << row, sum_[index], spread_[index]})) return;
    }
  }
}

Adwin::Summary Adwin::summary() const {
  Summary all;
  double sum = 0, spread = 0;
  for_each_bucket([&](const Bucket& bucket) {
    all.count += bucket.count;
    sum += bucket.sum;
    return true;
  });
  if (all.count == 0) return all;
  const auto n = static_cast<double>(all.count);
  all.mean = sum / n;
  for_each_bucket([&](const Bucket& bucket) {
    const auto count = static_cast<double>(bucket.count);
    const double difference = bucket.sum / count - all.mean;
    spread += bucket.spread + count * difference * difference;
    return true;
  });
  all.variance = spread / n;
  return all;
}

bool Adwin::has_changed() const {
  const Summary all = summary();
  if (all.count < 2 * kFewest) return false;
  const auto n = static_cast<double>(all.count);
  const double log_term = std::log(2 * std::log(n) / params_.delta);
  std::uint64_t old_count = 0;
  double old_sum = 0;
  bool changed = false;
  for_each_bucket([&](const Bucket& bucket) {
    old_count += bucket.count;
    old_sum += bucket.sum;
    if (all.count - old_count < kFewest) return false;
    if (old_count < kFewest) return true;
    const auto n0 = static_cast<double>(old_count), n1 = n - n0;
    const double difference = old_sum / n0 - (all.mean * n - old_sum) / n1;
    const double per_value = (1 / n0 + 1 / n1) * log_term;  // ln(2/d)/m
    changed = std::abs(difference) > std::sqrt(2 * all.variance * per_value) + 2 * per_value / 3;
    return !changed;
  });
  return changed;
}

bool Adwin::add(double value) {
  insert(0, std::clamp(value, 0.0, 1.0), 0);
  bool shrank = false;
  while (has_changed()) {
    drop_oldest();
    shrank = true;
  }
  return shrank;
}

void Adwin::insert(std::size_t row, double sum, double spread) {
  const std::size_t first = row * (params_.buckets + 1);
  sum_[first + used_[row]] = sum;
  spread_[first + used_[row]] = spread;
  ++used_[row];
  if (used_[row] <= params_.buckets) return;
  if (row + 1 == kRows) {
    drop(row, 1);
    return;
  }
  // Merges the two oldest buckets into the newest one of the next size.
  const auto half = static_cast<double>(std::uint64_t{1} << row);
  const double difference = (sum_[first + 1] - sum_[first]) / half;
  const double joint_sum = sum_[first] + sum_[first + 1];
  const double joint_spread =
      spread_[first] + spread_[first + 1] + half / 2 * difference * difference;
  drop(row, 2);
  insert(row + 1, joint_sum, joint_spread);
}

void Adwin::drop(std::size_t row, std::size_t how_many) {
  const auto shift = [&](std::vector<double>& values) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * (params_.buckets + 1));
    const auto end = first + static_cast<std::ptrdiff_t>(used_[row]);
    std::fill(std::copy(first + static_cast<std::ptrdiff_t>(how_many), end, first), end, 0.0);
  };
  shift(sum_);
  shift(spread_);
  used_[row] -= how_many;
}

void Adwin::drop_oldest() {
  for (std::size_t row = kRows; row-- > 0;) {
    if (used_[row] == 0) continue;
    drop(row, 1);
    return;
  }
}

void Adwin::archive(Archive& archive) {
  archive.values("used", used_);
  archive.values("sum", sum_, kRows);
  archive.values("spread", spread_, kRows);
  if (!archive.loading()) return;
  for (std::size_t row = 0; row < kRows; ++row) {
    if (used_[row] > params_.buckets) archive.refuse("used", "counts more buckets than there are");
    const std::size_t index = row * (params_.buckets + 1);
    const auto most = static_cast<double>(std::uint64_t{1} << row);
    // Values in [0, 1] have at most this sum, and deviate by at most 1 from their mean.
    archive.require_within("sum", std::span(sum_).subspan(index, params_.buckets + 1), 0, most);
    archive.require_within("spread", std::span(spread_).subspan(index, params_.buckets + 1), 0,
                           most);
  }
}

}  // namespace plumbline::inline v0
