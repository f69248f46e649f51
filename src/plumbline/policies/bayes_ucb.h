// Bayes-UCB for Gaussian rewards (Kaufmann, Cappé & Garivier, "On Bayesian upper confidence bounds
// for bandit problems", AISTATS 2012): play the arm whose posterior has the largest quantile
//   of level 1 - 1/n,  n = 2, 3, … the round,
// which for the posterior N(m_a, v_a) of thompson.h is m_a + z_n sqrt(v_a), where z_n is the quantile
// of N(0, 1). It is a deterministic form of Thompson sampling, with an optimistic value in place of the
// draw. The authors divide the tail by (ln horizon)^c and use c = 0 in practice, as here. Their t
// counts choices from 1 on, where the level would be 0; this implementation starts with the median.
// Ties go to the earlier action. Cost per round: O(arms).
#pragma once

#include "plumbline/policies/thompson.h"

namespace plumbline::inline v0 {

class BayesUcb : public Thompson {
 public:
  using Thompson::Thompson;
  std::size_t choose(const Round& round) const override;
};

}  // namespace plumbline::inline v0
