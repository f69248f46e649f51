// Shared code of learners that learn one example after the other.
#pragma once

#include <cstddef>
#include <span>

#include "plumbline/learner.h"

namespace plumbline::inline v0 {

// The class that a margin predicts. A tie is negative, as in scikit-learn.
inline Label predicted_class(double margin) { return margin > 0 ? 1 : 0; }

// The loop of `learn_each`, given functions for the margin of row i and for learning example i.
template <class Margin, class Learn>
void learn_one_by_one(std::size_t examples, Correctness correctness, std::span<Label> votes,
                      const Margin& margin, const Learn& learn) {
  for (std::size_t i = 0; i < examples; ++i) {
    if (correctness == Correctness::before_update) votes[i] = predicted_class(margin(i));
    learn(i);
    if (correctness == Correctness::after_update) votes[i] = predicted_class(margin(i));
  }
}

}  // namespace plumbline::inline v0
