#include "plumbline/kernels/sparse_rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace plumbline::inline v0::kernels {
namespace {

constexpr std::size_t kFewFeatures = 64;  // up to this number, dense rows are faster
constexpr std::size_t kShare = 8;
constexpr std::size_t kAtOnce = 8;  // values tested together

// Tests the bits without the sign, which needs only one branch for all values.
bool all_zero(const double* values) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < kAtOnce; ++k) bits |= std::bit_cast<std::uint64_t>(values[k]) << 1;
  return bits == 0;
}

}  // namespace

bool SparseRows::assign(const Batch& batch) {
  if (batch.columns < kFewFeatures || batch.rows == 0) return false;
  const auto some = [](double value) { return value != 0; };
  const auto first = static_cast<std::size_t>(std::ranges::count_if(batch.row(0), some));
  if (first * kShare > batch.columns) return false;
  const std::size_t most = batch.values.size() / kShare;
  columns_ = batch.columns;
  entries_.clear();
  starts_.assign(1, 0);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const std::span<const double> row = batch.row(i);
    for (std::size_t j = 0; j < row.size();) {
      if (j + kAtOnce <= row.size() && all_zero(row.data() + j)) {
        j += kAtOnce;
        continue;
      }
      for (const std::size_t end = std::min(j + kAtOnce, row.size()); j < end; ++j) {
        if (row[j] != 0) entries_.push_back({static_cast<std::uint32_t>(j), row[j]});
      }
    }
    starts_.push_back(entries_.size());
    if (entries_.size() > most) return false;
  }
  return true;
}

}  // namespace plumbline::inline v0::kernels
