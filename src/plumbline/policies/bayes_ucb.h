// Bayes-UCB for Gaussian rewards (Kaufmann, Cappé & Garivier, "On Bayesian upper confidence bounds
// for bandit problems", AISTATS 2012): play the arm whose posterior has the largest quantile
//   of level 1 - 1/n,  n = 2, 3, … the round,
// which for the posterior N(m_a, v_a) of thompson.h is m_a + z_n sqrt(v_a), z_n that of N(0, 1). It
// is Thompson sampling with an optimistic value in the place of the draw: no chance is involved.
// The authors divide the tail by (ln horizon)^c and use c = 0 in practice, as here; their t counts
// the choices from 1 on, where the quantile would be of level 0: we begin with the median. Ties go
// to the earlier action. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/thompson.h"

namespace plumbline::inline v0 {

class BayesUcb : public Thompson {
 public:
  using Thompson::Thompson;
  std::size_t choose(const Round& round) const override;
};

}  // namespace plumbline::inline v0
