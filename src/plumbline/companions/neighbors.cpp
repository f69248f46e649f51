#include "plumbline/companions/neighbors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "plumbline/companions/packed_floats.h"
#include "plumbline/companions/to_float.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

using kernels::ByteTable;

constexpr std::size_t kMaxWidth = ByteTable::kMostBytes;
constexpr double kBytesOfDeviation = 32;
constexpr double kVotePrior = 0.03;  // a
constexpr std::size_t kRecentShare = 8;
constexpr std::uint64_t kFirstScaling = 8, kScalingPeriod = 1024;

bool rescales_after(std::uint64_t rows) {
  return rows % kScalingPeriod == 0 ||
         (rows >= kFirstScaling && rows < kScalingPeriod && std::has_single_bit(rows));
}

std::size_t whole_blocks(std::size_t rows) {
  return (rows + ByteTable::kRows - 1) / ByteTable::kRows * ByteTable::kRows;
}

}  // namespace

void Neighbors::Params::visit(OptionVisitor& visitor) {
  visitor.integer("k", k, Range::closed(1, static_cast<double>(Nearest::kMost)),
                  "number of neighbors that vote");
  visitor.integer("rows", rows, Range::closed(8, 65536),
                  "number of rows that are kept, a multiple of 8 or rounded up to one");
}

Neighbors::Neighbors(const Params& params, const CompanionUse& use)
    : k_(static_cast<std::size_t>(params.k)),
      capacity_(whole_blocks(static_cast<std::size_t>(params.rows))),
      width_(std::min(use.features.count, kMaxWidth)),
      several_(use.several_classes),
      classes_(use.several_classes ? 0 : 2),
      means_(width_),
      scales_(width_) {
  resize(0);
}

void Neighbors::resize(std::size_t rows) {
  // Reserved memory that is not used costs nothing, and learning allocates nothing.
  const std::size_t padded = ByteTable::padded(width_);
  rows_.reserve(capacity_ * width_);
  labels_.reserve(capacity_);
  bytes_.reserve(capacity_ * padded);

  rows_.resize(rows * width_);
  labels_.resize(rows);
  bytes_.resize(whole_blocks(rows) * padded);
}

void Neighbors::read_row(const Batch& batch, std::size_t i, std::span<float> row) const {
  if (batch.sparse()) {
    std::ranges::fill(row, 0.0F);
    for (const auto& [feature, value] : batch.sparse_row(i))
      row[feature % kMaxWidth] += to_float(value);
    return;
  }
  const auto values = batch.row(i);
  std::transform(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width_), row.begin(),
                 to_float);
  for (std::size_t j = width_; j < values.size(); ++j) row[j % kMaxWidth] += to_float(values[j]);
}

void Neighbors::write_bytes(std::size_t place) {
  const std::size_t padded = ByteTable::padded(width_);
  std::array<std::uint8_t, kMaxWidth> bytes;
  kernels::to_bytes(rows_.data() + place * width_, means_.data(), scales_.data(), width_,
                    bytes.data());
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(width_), padded - width_, 0);
  for (std::size_t j = 0; j < padded; j += ByteTable::kBytes) {
    std::memcpy(&bytes_[ByteTable::at(padded, place, j)], &bytes[j], ByteTable::kBytes);
  }
}

// Sums of floats are exact here, so that the deviation of a constant feature is 0.
void Neighbors::rescale() {
  const auto rows = static_cast<double>(labels_.size());
  std::ranges::fill(means_, 0.0);
  std::ranges::fill(scales_, 0.0);
  for (std::size_t at = 0; at < rows_.size(); at += width_) {
    for (std::size_t j = 0; j < width_; ++j) means_[j] += rows_[at + j];
  }
  for (double& mean : means_) mean /= rows;
  for (std::size_t at = 0; at < rows_.size(); at += width_) {
    for (std::size_t j = 0; j < width_; ++j) {
      const double difference = rows_[at + j] - means_[j];
      scales_[j] += difference * difference;
    }
  }
  for (std::size_t j = 0; j < width_; ++j) {
    const double deviation = std::sqrt(scales_[j] / rows);
    scales_[j] = deviation > 0 ? kBytesOfDeviation / deviation : 0;
  }
  for (std::size_t place = 0; place < labels_.size(); ++place) write_bytes(place);
}

void Neighbors::learn(const Examples& examples) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::size_t place = next();
    if (place == labels_.size()) resize(place + 1);
    read_row(examples.x, i, std::span(rows_).subspan(place * width_, width_));
    labels_[place] = examples.y[i];
    write_bytes(place);
    if (rescales_after(++count_)) rescale();
  }
}

void Neighbors::search(const std::uint8_t* query, std::size_t skipped, std::size_t count,
                       Nearest& nearest) const {
  if (count_ == 0) return;
  const std::size_t blocks = capacity_ / ByteTable::kRows;
  const std::size_t newest = (count_ - 1) % capacity_, head = newest / ByteTable::kRows;
  const std::size_t end = std::min(skipped + count, count_ > capacity_ ? blocks : head + 1);
  // Blocks are adjacent until the first place is reached.
  while (skipped < end) {
    const std::size_t high = (head + blocks - skipped) % blocks;
    const std::size_t adjacent = std::min(end - skipped, high + 1);
    const std::size_t last = skipped == 0 ? newest + 1 : (high + 1) * ByteTable::kRows;
    kernels::add_nearest(bytes_.data(), ByteTable::padded(width_), query,
                         (high + 1 - adjacent) * ByteTable::kRows, last, age_of(last - 1), nearest);
    skipped += adjacent;
  }
}

void Neighbors::vote(const Nearest& nearest, std::span<double> log_odds) const {
  thread_local std::vector<double> votes;
  votes.assign(classes_, kVotePrior);
  double all = kVotePrior * static_cast<double>(std::max<std::size_t>(classes_, 2));
  const std::size_t newest = (count_ - 1) % capacity_, found = nearest.size();
  for (std::size_t i = 0; i < found; ++i) {
    const double ratio = (nearest.distance(0) + 1.0) / (nearest.distance(i) + 1.0);
    const double weight = (ratio * ratio) * (ratio * ratio);
    const std::size_t age = nearest.age(i);
    votes[labels_[newest + (age > newest ? capacity_ : 0) - age]] += weight;
    all += weight;
  }
  for (std::size_t k = 0; k < log_odds.size(); ++k) {
    const double share = votes[several_ ? k : 1];
    log_odds[k] = portable_log(share / (all - share));
  }
}

void Neighbors::margins(const Batch& batch, std::size_t, std::span<double> margins) const {
  const std::size_t outputs = outputs_of(several_, classes_);
  const std::size_t blocks = capacity_ / ByteTable::kRows;
  const std::size_t recent = (blocks + kRecentShare - 1) / kRecentShare;
  // Several threads may predict at once; each keeps its scratch.
  thread_local std::vector<float> row;
  thread_local std::vector<std::uint8_t> query;
  thread_local std::vector<double> log_odds;
  row.assign(width_, 0);
  query.assign(ByteTable::padded(width_), 0);
  log_odds.assign(kTraits.columns * outputs, 0);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    read_row(batch, i, row);
    kernels::to_bytes(row.data(), means_.data(), scales_.data(), width_, query.data());
    Nearest nearest(k_);
    search(query.data(), 0, recent, nearest);
    vote(nearest, std::span(log_odds).subspan(outputs));
    search(query.data(), recent, blocks, nearest);
    vote(nearest, std::span(log_odds).first(outputs));
    for (std::size_t c = 0; c < log_odds.size(); ++c) margins[c * batch.rows + i] = log_odds[c];
  }
}

void Neighbors::grow(std::size_t features) {
  const std::size_t old_width = width_, rows = labels_.size();
  width_ = std::min(features, kMaxWidth);
  if (width_ == old_width) return;
  const std::vector<float> old_rows = std::exchange(rows_, {});
  bytes_.clear();
  means_.resize(width_);
  scales_.resize(width_);
  resize(rows);
  for (std::size_t place = 0; place < rows; ++place) {
    std::copy_n(old_rows.begin() + static_cast<std::ptrdiff_t>(place * old_width), old_width,
                rows_.begin() + static_cast<std::ptrdiff_t>(place * width_));
    write_bytes(place);
  }
}

void Neighbors::archive(Archive& archive) {
  archive.value("count", count_);
  if (archive.loading()) resize(std::min<std::uint64_t>(count_, capacity_));
  archive_rows(archive);
  archive.values("means", means_);
  archive.values("scales", scales_);
  if (!archive.loading()) return;
  archive.require_within("scales", scales_, 0, kMaxState);
  for (std::size_t place = 0; place < labels_.size(); ++place) write_bytes(place);
}

void Neighbors::archive_rows(Archive& archive) {
  std::vector<std::uint64_t> labels(labels_.begin(), labels_.end());
  archive_packed(archive, "rows", rows_);
  archive.values("labels", labels);
  if (!archive.loading()) return;
  if (!std::ranges::all_of(rows_, [](float value) { return std::isfinite(value); })) {
    archive.refuse("rows", "are not finite");
  }
  if (std::ranges::any_of(labels, [&](std::uint64_t label) { return label >= classes_; })) {
    archive.refuse("labels", "are not of the classes");
  }
  std::ranges::transform(labels, labels_.begin(),
                         [](std::uint64_t label) { return static_cast<Label>(label); });
}

}  // namespace plumbline::inline v0
