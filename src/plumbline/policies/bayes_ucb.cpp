#include "plumbline/policies/bayes_ucb.h"

#include <algorithm>
#include <cmath>

#include "plumbline/core/stats.h"

namespace plumbline {

std::size_t BayesUcb::choose(const Round& round) const {
  const double z = normal_upper_quantile(1 / std::max(2.0, static_cast<double>(round.number)));
  std::vector<double> quantile(size());
  for (std::size_t a = 0; a < quantile.size(); ++a) {
    const Posterior belief = posterior(a);
    quantile[a] = belief.mean + z * std::sqrt(belief.variance);
  }
  return first_best(quantile);
}

}  // namespace plumbline
