// The distribution function of the standard normal distribution, with the same results to the bit everywhere; the
// standard library's erf differs between platforms. The absolute error is below 3e-16 (tests/math/normal_cdf_test.cpp).
//
// On cells of width 1/8 it is the Taylor polynomial about the center c, with the Hermite polynomials He:
//   Phi(c + t) = Phi(c) + phi(c) sum_k (-1)^k He_k(c) t^(k + 1)/(k + 1)!
// The coefficients are computed at compile time. Cost: a dozen multiplications, no division.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {

class NormalCdf {
 public:
  static double at(double z) {
    const double size = std::min(std::abs(z), kEnd);
    const double cell = (size * kCellsPerUnit + kRounder) - kRounder;
    const auto& c = kCells[static_cast<std::size_t>(cell)];
    const double t = size - cell / kCellsPerUnit, t2 = t * t, t4 = t2 * t2;
    const double low = (c[0] + t * c[1]) + t2 * (c[2] + t * c[3]);
    const double high = (c[4] + t * c[5]) + t2 * (c[6] + t * c[7]);
    const double upper = low + t4 * (high + t4 * (c[8] + t * c[9]));
    return z < 0 ? 1 - upper : upper;
  }

 private:
  static constexpr double kCellsPerUnit = 8;
  static constexpr double kEnd = 8.5;  // 1 - Phi(8.5) is 1e-17
  static constexpr std::size_t kTerms = 10;
  using Cell = std::array<double, kTerms>;
  using Cells = std::array<Cell, 69>;

  // e^-(c^2)/2 / sqrt(2 pi), for 0 <= c <= kEnd.
  static constexpr double density(double c) {
    const double x = -c * c / 2;
    const int n = static_cast<int>(x * kLog2E - 0.5);
    const double r = (x - n * kLn2High) - n * kLn2Low;
    double series = 1;
    for (int k = 20; k > 0; --k) series = 1 + series * r / k;
    for (int k = 0; k > n; --k) series /= 2;
    return series * 0.39894228040143267794;
  }

  // Phi(c) = 1/2 + phi(c) (c + c^3/3 + c^5/(3 5) + …), or for large c
  //        = 1 - phi(c)/(c + 1/(c + 2/(c + …))).
  static constexpr double center_value(double c) {
    if (c < 2) {
      double series = 1;
      for (int k = 30; k > 0; --k) series = 1 + series * (c * c) / (2 * k + 1);
      return 0.5 + density(c) * (c * series);
    }
    double fraction = c;
    for (int k = 300; k > 0; --k) fraction = c + k / fraction;
    return 1 - density(c) / fraction;
  }

  static constexpr Cells make_cells() {
    Cells cells{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double c = static_cast<double>(i) / kCellsPerUnit;
      double hermite = 1, previous = 0, scale = density(c);
      cells[i][0] = center_value(c);
      for (std::size_t k = 1; k < kTerms; ++k) {
        const auto order = static_cast<double>(k);
        cells[i][k] = scale / order * hermite;
        scale /= -order;
        const double next = c * hermite - (order - 1) * previous;
        previous = hermite;
        hermite = next;
      }
    }
    return cells;
  }

  static const Cells kCells;
};

inline constexpr NormalCdf::Cells NormalCdf::kCells = NormalCdf::make_cells();

}  // namespace plumbline::inline v0
