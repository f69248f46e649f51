// The rank of a value among the last values of a stream. Memory: 8 bytes per value. Cost: a comparison for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class RankWindow {
 public:
  explicit RankWindow(std::size_t size) : values_(size) {}

  std::uint64_t seen() const { return seen_; }
  // The share of the last values that are below this one, plus half the share of those that equal it; 1 if there are
  // none.
  double rank(double value) const;
  void add(double value);
  // Values are in [0, `highest`].
  void archive(Archive& archive, double highest);

 private:
  std::uint64_t seen_ = 0;
  std::vector<double> values_;  // value n is at index (n - 1) mod size
};

}  // namespace plumbline::inline v0
