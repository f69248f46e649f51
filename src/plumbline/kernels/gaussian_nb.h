// Gaussian Naive Bayes (learners/gaussian_nb.h) for the learners of a block side by side (boost.h).
#pragma once

#include <cstddef>

#include "plumbline/kernels/boost.h"

namespace plumbline::inline v0::kernels {

// Up to 8 Gaussian Naive Bayes learners (learners/gaussian_nb.h).
struct NbBlock {
  // Of each feature: means, variances and precisions of class 0 and 1.
  enum Moment { mean, variance = 2, precision = 4, kMoments = 6 };
  // Of both classes: weight of the examples; mantissa and exponent of the product of the variances over
  // the floor; and what the margin adds to the distances.
  enum Total { weight, mantissa = 2, exponent = 4, log_ratio = 6, kTotals };

  std::size_t features;
  double floor;  // of variances
  double relative_floor;
  bool clamp;       // whether distances could be infinite
  double* moments;  // [features][kMoments][kBlock]
  double* totals;   // [kTotals][kBlock]
};

// Algorithm 1 with Naive Bayes.
void boost_nb(const Pass& pass, VoteTime time, const NbBlock& block);
// All learners of the block learn the rows, with weights as above, and without their totals' caches.
void learn_nb(const Examples& examples, const double* weights, std::size_t learners,
              const NbBlock& block);
// Makes what `margins_nb` needs of the moments.
void refresh_nb(std::size_t learners, const NbBlock& block);
// margins[r * stride + i] of learner r and row i.
void margins_nb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                std::size_t stride);

}  // namespace plumbline::inline v0::kernels
