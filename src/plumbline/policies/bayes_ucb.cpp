#include "plumbline/policies/bayes_ucb.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/stats.h"

namespace plumbline::inline v0 {

std::size_t BayesUcb::choose(const Round& round) const {
  const double z = normal_upper_quantile(1 / std::max(2.0, static_cast<double>(round.number)));
  return first_best(size(), [&](std::size_t a) {
    const Posterior belief = posterior(a);
    return belief.mean + z * std::sqrt(belief.variance);
  });
}

}  // namespace plumbline::inline v0
