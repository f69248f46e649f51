#include "plumbline/math/cycle.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plumbline::inline v0 {
namespace {

// The series of the sine, divided by a, and of the cosine in z = a², for |a| <= pi/4.
constexpr std::array<double, 8> kSine{
    1.0,          -1.0 / 6,        1.0 / 120,        -1.0 / 5040,
    1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
constexpr std::array<double, 9> kCosine{1.0,
                                        -1.0 / 2,
                                        1.0 / 24,
                                        -1.0 / 720,
                                        1.0 / 40320,
                                        -1.0 / 3628800,
                                        1.0 / 479001600,
                                        -1.0 / 87178291200,
                                        1.0 / 20922789888000};

template <std::size_t N>
double polynomial(const std::array<double, N>& terms, double z) {
  double sum = terms[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = sum * z + terms[i - 1];
  return sum;
}

}  // namespace

Cycle cycle(double turns) {
  const double quarters = std::floor(4 * turns + 0.5);
  const double a = 2 * std::numbers::pi * (turns - quarters / 4);
  const double sine = a * polynomial(kSine, a * a), cosine = polynomial(kCosine, a * a);
  switch (static_cast<int>(quarters) % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace plumbline::inline v0
