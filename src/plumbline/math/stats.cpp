#include "plumbline/math/stats.h"

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace plumbline::inline v0 {

double student_t975(std::size_t degrees) {
  // The error of the expansion below is 4e-3 at 3 degrees of freedom and 1e-4 from 6 on.
  constexpr std::array<double, 5> kFew{12.706205, 4.302653, 3.182446, 2.776445, 2.570582};
  if (degrees <= kFew.size()) return kFew[degrees - 1];
  // Cornish-Fisher expansion around the normal quantile z (Abramowitz & Stegun 26.7.5).
  constexpr double z = 1.959963984540054;
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
  const auto n = static_cast<double>(degrees);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n) +
         (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
}

double normal_upper_quantile(double tail) {
  // Newton steps on ln Q(z) - ln tail, where Q is the upper tail. The function is concave and close to a
  // parabola. Steps from above the solution (Q(z) <= exp(-z^2/2)/2) therefore stay above it, and a few
  // of them reach full precision.
  double z = std::sqrt(-2 * std::log(2 * tail));
  for (int step = 0; step < 12; ++step) {
    const double above = std::erfc(z / std::numbers::sqrt2) / 2;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double move = std::log(above / tail) * above / density;
    z += move;
    if (std::abs(move) <= 1e-15 * std::abs(z)) break;
  }
  return z;
}

MeanInterval mean_interval(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() == 1) return {mean, 0};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, student_t975(values.size() - 1) * std::sqrt(squares / (n - 1) / n)};
}

}  // namespace plumbline::inline v0
