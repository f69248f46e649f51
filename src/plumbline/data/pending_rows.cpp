#include "plumbline/data/pending_rows.h"

#include <algorithm>

namespace plumbline::inline v0 {
namespace {

constexpr Costs kNoCosts{-1, -1};

std::size_t entries_of(std::span<const std::uint64_t> counts) {
  std::size_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

}  // namespace

void PendingRows::push(const Examples& examples, std::size_t ahead) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (features_.sparse) {
      const auto row = examples.x.sparse_row(i);
      entries_.push(row);
      counts_.push(row.size());
    } else {
      values_.push(examples.x.row(i));
    }
    labels_.push(examples.y[i]);
    costs_.push(examples.costs.empty() ? kNoCosts : examples.costs[i]);
    ages_.push(ahead + i);
  }
}

Batch PendingRows::features(std::size_t count) {
  if (!features_.sparse) {
    return {.values = values_.front(count * features_.count),
            .rows = count,
            .columns = features_.count};
  }
  starts_.assign(1, 0);
  for (const std::uint64_t entries : counts_.front(count)) {
    starts_.push_back(starts_.back() + entries);
  }
  return {.rows = count,
          .columns = features_.count,
          .entries = entries_.front(starts_.back()),
          .starts = starts_};
}

Pending PendingRows::all() { return {{features(size()), labels_.all()}, ages_.all()}; }

Examples PendingRows::oldest(std::size_t most) {
  const std::span<const Costs> costs = costs_.front(std::min(most, size()));
  const auto given = [](const Costs& of_row) { return !(of_row == kNoCosts); };
  const bool with_costs = !costs.empty() && given(costs.front());
  const auto other =
      std::ranges::find_if(costs, [&](const Costs& of_row) { return given(of_row) != with_costs; });
  const auto count = static_cast<std::size_t>(other - costs.begin());
  return {features(count), labels_.front(count),
          with_costs ? costs.first(count) : std::span<const Costs>{}};
}

void PendingRows::pop(std::size_t count) {
  if (features_.sparse) {
    entries_.pop(entries_of(counts_.front(count)));
    counts_.pop(count);
  } else {
    values_.pop(count * features_.count);
  }
  labels_.pop(count);
  costs_.pop(count);
  ages_.pop(count);
}

void PendingRows::grow(std::size_t features) {
  if (!features_.sparse) widen_rows(values_, features_.count, features, 0.0);
  features_.count = features;
}

void PendingRows::archive(Archive& archive, std::size_t classes, std::size_t most) {
  std::uint64_t rows = size();
  archive.value("rows", rows);
  if (archive.loading() && (rows > most || rows > archive.bytes() / sizeof rows)) {
    archive.refuse("rows", "is too large");
  }
  features_.sparse ? archive_sparse(archive, rows) : archive_dense(archive, rows);
  archive_targets(archive, rows, classes);
}

void PendingRows::archive_dense(Archive& archive, std::size_t rows) {
  if (archive.loading() && rows * features_.count > archive.bytes() / sizeof(double)) {
    archive.refuse("values", "is too short");
  }
  std::vector<double> values(values_.all().begin(), values_.all().end());
  values.resize(rows * features_.count);
  archive.values("values", values);
  if (!archive.loading()) return;
  archive.require_within("values", values, -kMaxMagnitude, kMaxMagnitude);
  values_.assign(std::move(values));
}

void PendingRows::archive_sparse(Archive& archive, std::size_t rows) {
  std::vector<std::uint64_t> counts(counts_.all().begin(), counts_.all().end()), features;
  counts.resize(rows);
  archive.values("counts", counts);
  std::vector<double> values;
  for (const auto& [feature, value] : entries_.all()) {
    features.push_back(feature);
    values.push_back(value);
  }
  if (archive.loading()) {
    for (const std::uint64_t count : counts) {
      if (count > features_.count) archive.refuse("counts", "are too large");
    }
    const std::size_t all = entries_of(counts);
    if (all > archive.bytes() / sizeof(double)) archive.refuse("values", "is too short");
    features.resize(all);
    values.resize(all);
  }
  archive.values("features", features);
  archive.values("values", values);
  if (!archive.loading()) return;
  archive.require_within("values", values, -kMaxMagnitude, kMaxMagnitude);
  std::vector<Entry> entries;
  for (const std::uint64_t count : counts) {
    std::uint64_t next = 0;  // the smallest feature that may follow
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t feature = features[entries.size()];
      if (feature < next || feature >= features_.count) {
        archive.refuse("features", "are not ascending");
      }
      entries.push_back({static_cast<std::uint32_t>(feature), values[entries.size()]});
      next = feature + 1;
    }
  }
  entries_.assign(std::move(entries));
  counts_.assign(std::move(counts));
}

void PendingRows::archive_targets(Archive& archive, std::size_t rows, std::size_t classes) {
  std::vector<std::uint64_t> labels(labels_.all().begin(), labels_.all().end());
  std::vector<std::uint64_t> ages(ages_.all().begin(), ages_.all().end());
  std::vector<double> costs;
  for (const auto& [false_positive, false_negative] : costs_.all()) {
    costs.push_back(false_positive);
    costs.push_back(false_negative);
  }
  labels.resize(rows);
  ages.resize(rows);
  costs.resize(2 * rows);
  archive.values("labels", labels);
  archive.values("ages", ages);
  archive.values("costs", costs);
  if (!archive.loading()) return;
  // Far from overflow.
  constexpr std::uint64_t kMostAhead = std::uint64_t{1} << 32;
  for (std::size_t i = 0; i < rows; ++i) {
    if (labels[i] >= classes) archive.refuse("labels", "are not classes");
    if (ages[i] > kMostAhead) archive.refuse("ages", "are too large");
  }
  std::vector<Costs> pairs;
  for (std::size_t i = 0; i < rows; ++i) {
    pairs.push_back({costs[2 * i], costs[2 * i + 1]});
    if (pairs.back() == kNoCosts) continue;
    archive.require_within("costs", std::span(costs).subspan(2 * i, 2), 0, kMaxMagnitude);
  }
  labels_.assign({labels.begin(), labels.end()});
  ages_.assign(std::move(ages));
  costs_.assign(std::move(pairs));
}

}  // namespace plumbline::inline v0
