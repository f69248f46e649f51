// Vectorizable element-wise predicates.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace plumbline::inline v0 {

// True if `test` holds for every value. Failures are counted, in doubles and in four lanes, instead of
// stopping at the first one, so that compilers can vectorize the loop.
template <class Test>
bool all_of_values(std::span<const double> values, const Test& test) {
  constexpr std::size_t kLanes = 4;
  std::array<double, kLanes> failures{};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) failures[k] += test(values[i + k]) ? 0.0 : 1.0;
  }
  for (; i < values.size(); ++i) failures[0] += test(values[i]) ? 0.0 : 1.0;
  return failures[0] + failures[1] + failures[2] + failures[3] == 0;
}

}  // namespace plumbline::inline v0
