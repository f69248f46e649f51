#include "plumbline/generators/sea.h"

#include <algorithm>
#include <array>

#include "plumbline/math/rng.h"

namespace plumbline {
namespace {

constexpr std::array<double, 4> kThresholds{8, 9, 7, 9.5};

}  // namespace

void Sea::Params::visit(OptionVisitor& visitor) {
  visitor.integer("concept", concept_number, Range::closed(1, kThresholds.size()),
                  "which threshold x1 + x2 must not exceed: 8, 9, 7 or 9.5");
  visitor.real("noise", noise, Range::closed(0, 1), "probability that a label is inverted");
}

Sea::Sea(const Params& params, std::uint64_t seed)
    : params_(params), seed_(seed), schema_(Schema::numeric(3)) {}

bool Sea::read(Minibatch& batch, std::size_t max_rows) {
  const double threshold = kThresholds[static_cast<std::size_t>(params_.concept_number - 1)];
  batch.clear();
  for (std::size_t row = 0; row < max_rows; ++row, ++next_) {
    Rng rng(seed_, kGeneratorStream, next_);
    std::array<double, 3> x{};
    for (double& value : x) value = 10 * rng.uniform();
    const bool inverted = rng.uniform() < params_.noise;
    const bool positive = (x[0] + x[1] <= threshold) != inverted;
    std::ranges::copy(x, batch.add(static_cast<Label>(positive)).begin());
  }
  return true;
}

}  // namespace plumbline
