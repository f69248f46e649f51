#include "plumbline/policies/thompson.h"

#include <cmath>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {

void Thompson::Params::visit(OptionVisitor& visitor) {
  visitor.real("sigma", sigma, Range::closed(1e-6, 1e6), "standard deviation of the rewards");
  discount.visit(visitor);
}

Thompson::Thompson(const Params& params, std::span<const Action> actions, std::uint64_t seed)
    : noise_(params.sigma * params.sigma), seed_(seed), arms_(actions.size(), params.discount) {}

Thompson::Posterior Thompson::posterior(std::size_t arm) const {
  const double precision = noise_ + arms_.pulls(arm);
  return {arms_.rewards(arm) / precision, noise_ / precision};
}

std::size_t Thompson::choose(const Round& round) const {
  Rng rng(seed_, kPolicyStream, round.number);
  return first_best(arms_.size(), [&](std::size_t a) {
    const Posterior belief = posterior(a);
    return belief.mean + std::sqrt(belief.variance) * rng.normal();
  });
}

PerAction<ArmView> Thompson::arms() const {
  PerAction<ArmView> views;
  for (std::size_t a = 0; a < arms_.size(); ++a) {
    views.push_back({arms_.pulls(a), posterior(a).mean});
  }
  return views;
}

}  // namespace plumbline::inline v0
