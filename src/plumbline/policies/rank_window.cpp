#include "plumbline/policies/rank_window.h"

#include <algorithm>
#include <span>

namespace plumbline::inline v0 {

double RankWindow::rank(double value) const {
  const auto filled = static_cast<std::size_t>(std::min<std::uint64_t>(seen_, values_.size()));
  if (filled == 0) return 1;
  // Twice the values below, and once those that are equal, without a branch.
  std::size_t twice = 0;
  for (const double other : std::span(values_).first(filled)) {
    twice += static_cast<std::size_t>(other < value) + static_cast<std::size_t>(other <= value);
  }
  return static_cast<double>(twice) / static_cast<double>(2 * filled);
}

void RankWindow::add(double value) {
  values_[seen_ % values_.size()] = value;
  ++seen_;
}

void RankWindow::archive(Archive& archive, double highest) {
  archive.value("seen", seen_);
  archive.values("values", values_);
  archive.require_within("values", values_, 0, highest);
  // More than any stream has, and far from overflow.
  if (archive.loading() && seen_ > std::uint64_t{1} << 62) archive.refuse("seen", "is too large");
}

}  // namespace plumbline::inline v0
