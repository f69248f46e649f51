// Sine and cosine with the same bits everywhere, of a place in a cycle such as a time of day.
#pragma once

namespace plumbline::inline v0 {

struct Cycle {
  double sine, cosine;
};

// Of 2 pi `turns`, for turns from 0 to 1. Errors are below 3e-16 (tests/math/cycle_test.cpp).
Cycle cycle(double turns);

}  // namespace plumbline::inline v0
