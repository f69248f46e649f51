#include "plumbline/generators/sea.h"

#include <algorithm>
#include <array>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::array<double, 4> kThresholds{8, 9, 7, 9.5};

}  // namespace

void Sea::Params::visit(OptionVisitor& visitor) {
  visitor.integer("concept", concept_number, Range::closed(1, kThresholds.size()),
                  "threshold that x1 + x2 must not exceed: 8, 9, 7 or 9.5");
  visitor.real("noise", noise, Range::closed(0, 1), "probability that a label is inverted");
}

Sea::Sea(const Params& params, std::uint64_t seed)
    : Generator(Schema::numeric(3), seed), params_(params) {}

Label Sea::draw(Rng& rng, std::uint64_t, std::span<double> x) {
  const double threshold = kThresholds[static_cast<std::size_t>(params_.concept_number - 1)];
  for (double& value : x) value = 10 * rng.uniform();
  const bool inverted = rng.uniform() < params_.noise;
  return static_cast<Label>((x[0] + x[1] <= threshold) != inverted);
}

}  // namespace plumbline::inline v0
