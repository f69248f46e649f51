// e^x and ln x with the same results to the bit everywhere, for scalars and for the lanes of vectors
// (kernels/portable_math-inl.h). The functions of the standard library have no vector equivalents.
//
// Scalars and vectors use the same few additions and multiplications, none of them fused, written once
// (exp_log_series-inl.h). Errors are below 2 units in the last place (tests/math/portable_math_test.cpp).
#pragma once

#include <bit>
#include <cstdint>

namespace plumbline::inline v0 {

// ln 2 in two parts. The first has trailing zero bits, so that its multiples are exact.
inline constexpr double kLn2High = 0x1.62e42fefap-1;
inline constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
// Adding this constant rounds to the nearest integer and leaves it in the last bits.
inline constexpr double kRounder = 0x1.8p52;
// The layout of doubles.
inline constexpr int kExponentShift = 52;
inline constexpr std::uint64_t kMantissaBits = (std::uint64_t{1} << kExponentShift) - 1;
inline constexpr std::uint64_t kOneBits = std::uint64_t{1023} << kExponentShift;
// The difference between the bits of 1 and of sqrt(1/2), which centers mantissas around 1.
inline constexpr std::uint64_t kSplit = kOneBits - 0x3FE6A09E667F3BCD;
// A small integer becomes a double by or-ing it into the bits of 2^52 and subtracting 2^52.
inline constexpr double kTwo52 = 0x1p52;

#include "plumbline/math/exp_log_series-inl.h"

// For x in [-700, 700].
inline double portable_exp(double x) {
  const auto c = [](double value) { return value; };
  const double rounded = x * kLog2E + kRounder, n = rounded - kRounder;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(rounded) << kExponentShift) + kOneBits;
  return exp_series(r, c) * std::bit_cast<double>(power);
}

// For positive normal numbers.
inline double portable_log(double x) {
  const auto c = [](double value) { return value; };
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = (bits + kSplit) >> kExponentShift;
  const double e =
      (std::bit_cast<double>(exponent | std::bit_cast<std::uint64_t>(kTwo52)) - kTwo52) - 1023;
  const double f = std::bit_cast<double>(bits - (exponent << kExponentShift) + kOneBits) - 1;
  const double s = f / (f + 2), z = s * s;
  return e * kLn2High + ((s + s) + (s * z * log_series(z, c) + e * kLn2Low));
}

}  // namespace plumbline::inline v0
