#include "plumbline/generators/waveform.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kPoints = 21;

// The triangle of height 6 around `centre`, at point i = 1..21.
double wave(int centre, std::size_t i) {
  return std::max(0.0, 6 - std::abs(static_cast<double>(i) - centre));
}

// The centres of the two waves of each class.
constexpr std::array<std::array<int, 2>, 3> kCentres{{{7, 15}, {7, 11}, {11, 15}}};

}  // namespace

void Waveform::Params::visit(OptionVisitor& visitor) {
  visitor.integer("noise_features", noise_features, Range::closed(0, 1e6),
                  "number of noise columns after the 21 of the wave; the paper's data has 19");
  visitor.choice("against", against, {{"class_0", Against::class_0}, {"rest", Against::rest}},
                 "classes from which class 1 is separated");
}

Waveform::Waveform(const Params& params, std::uint64_t seed)
    : Generator(Schema::numeric(kPoints + static_cast<std::size_t>(params.noise_features)), seed),
      params_(params) {}

Label Waveform::draw(Rng& rng, std::uint64_t, std::span<double> x) {
  const auto label = static_cast<Label>(rng.below(2));
  std::size_t wave_class = label;
  if (label == 0 && params_.against == Against::rest) wave_class = 2 * rng.below(2);
  const double u = rng.uniform();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = rng.normal();
    if (i >= kPoints) continue;
    const auto& [first, second] = kCentres[wave_class];
    x[i] += u * wave(first, i + 1) + (1 - u) * wave(second, i + 1);
  }
  return label;
}

}  // namespace plumbline::inline v0
