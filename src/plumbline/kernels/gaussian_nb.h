// Gaussian Naive Bayes (learners/gaussian_nb.h) for a block of learners (boost.h).
#pragma once

#include <cstddef>

#include "plumbline/kernels/boost.h"

namespace plumbline::inline v0::kernels {

// Up to 8 Gaussian Naive Bayes learners (learners/gaussian_nb.h).
struct NbBlock {
  // Per feature: means, variances and precisions of classes 0 and 1.
  enum Moment { mean, variance = 2, precision = 4, kMoments = 6 };
  // Per class: weight of the examples; mantissa and exponent of the product of the variances divided by the floor.
  // Then `log_ratio`, the part of the margin that does not depend on the row.
  enum Total { weight, mantissa = 2, exponent = 4, log_ratio = 6, kTotals };

  std::size_t features;
  double floor;  // of the variances
  double relative_floor;
  bool clamp;       // clamps distances; needed if they could be infinite
  double* moments;  // [features][kMoments][kBlock]
  double* totals;   // [kTotals][kBlock]
};

// Algorithm 1 with Naive Bayes.
void boost_nb(const Pass& pass, VoteTime time, const NbBlock& block);
// All learners of the block learn the rows with these weights. The caches in the totals are not updated.
void learn_nb(const Examples& examples, const double* weights, std::size_t learners,
              const NbBlock& block);
// Computes the caches for `margins_nb` from the moments.
void refresh_nb(std::size_t learners, const NbBlock& block);
// Writes the margin of learner r and row i to margins[r * stride + i].
void margins_nb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                std::size_t stride);

}  // namespace plumbline::inline v0::kernels
