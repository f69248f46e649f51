// The location and the scale of a score whose unit is unknown, such as a margin or an anomaly score:
//   z = (s - m) / d, clamped to [-14, 14],
// with m a running mean and d a running mean absolute deviation, over about the last 200 values:
//   m <- m + a clamp(s - m, -10 d, 10 d),  d <- d + a (min(|s - m|, 10 d) - d),  a = max(1/n, 1/200).
// Clipping makes a single outlier harmless: it raises d by at most 4.5 %. A scale that changes by a factor of 100 is
// followed within some hundred values (up) to a thousand (down). z is 0 until two values differ.
// State: three numbers. Cost: O(1).
#pragma once

#include <cstdint>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class ScoreScale {
 public:
  double standardized(double score) const;
  void learn(double score);
  void archive(Archive& archive);

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double deviation_ = 0;
};

}  // namespace plumbline::inline v0
