#include "plumbline/math/rng.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

std::uint64_t poisson_by_inversion(double lambda, Rng& rng) {
  const double u = rng.uniform();
  double term = portable_exp(-lambda);
  double cumulative = term;
  std::uint64_t k = 0;
  while (u >= cumulative && k < kMostPoissonTerms) {
    ++k;
    term *= lambda * (1 / static_cast<double>(k));
    cumulative += term;
  }
  return k;
}

// ln k! for k >= 0: exact products below 10, Stirling's series (error < 1e-13) from 10 on.
double log_factorial(double k) {
  if (k < 10) {
    double product = 1;
    for (double i = 2; i <= k; ++i) product *= i;
    return std::log(product);
  }
  const double n = k + 1, inverse = 1 / n, square = inverse * inverse;
  return (n - 0.5) * std::log(n) - n + 0.5 * std::log(2 * std::numbers::pi) +
         inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
}

std::uint64_t poisson_by_rejection(double lambda, Rng& rng) {
  const double log_lambda = std::log(lambda);
  const double b = 0.931 + 2.53 * std::sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = rng.uniform() - 0.5;
    const double v = 1 - rng.uniform();  // in (0, 1]
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= squeeze) return static_cast<std::uint64_t>(k);
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        k * log_lambda - lambda - log_factorial(k)) {
      return static_cast<std::uint64_t>(k);
    }
  }
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kPhiloxMultipliers[0]} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kPhiloxMultipliers[1]} * counter[2];
    const auto high = [](std::uint64_t p) { return static_cast<std::uint32_t>(p >> 32); };
    const auto low = [](std::uint64_t p) { return static_cast<std::uint32_t>(p); };
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1),
               high(product0) ^ counter[3] ^ key[1], low(product0)};
    key[0] += kPhiloxWeyl[0];
    key[1] += kPhiloxWeyl[1];
  }
  return counter;
}

Rng::Rng(std::uint64_t seed, std::uint32_t stream, std::uint64_t index)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, stream, static_cast<std::uint32_t>(index),
               static_cast<std::uint32_t>(index >> 32)} {}

std::uint64_t Rng::bits() {
  if (left_ == 0) {
    const auto words = philox4x32(counter_, key_);
    ++counter_[0];
    block_ = {std::uint64_t{words[1]} << 32 | words[0], std::uint64_t{words[3]} << 32 | words[2]};
    left_ = 2;
  }
  return block_[2 - left_--];
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::uint64_t Rng::below(std::uint64_t n) {
  assert(n >= 1);
  // Rejects the first 2^64 mod n values, which would make small remainders more likely.
  const std::uint64_t uneven = -n % n;
  std::uint64_t draw = bits();
  while (draw < uneven) draw = bits();
  return draw % n;
}

double Rng::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t Rng::poisson(double lambda) {
  assert(lambda >= 0 && lambda <= 1e12);
  return lambda < kLargePoisson ? poisson_by_inversion(lambda, *this)
                                : poisson_by_rejection(lambda, *this);
}

void shuffle(std::span<std::size_t> items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

}  // namespace plumbline::inline v0
